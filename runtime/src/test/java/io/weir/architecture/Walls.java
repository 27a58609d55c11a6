package io.weir.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaModifier.PROTECTED;
import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;
import static com.tngtech.archunit.core.domain.properties.HasModifiers.Predicates.modifier;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Rules about the imports of each package, for a given root package: {@code io.weir}, or a small
 * copy of it that violates every rule.
 */
final class Walls {
  /** The root package, which is the model. */
  private static final String MODEL = "";

  /** The adapters use what any adapter of somebody else may use. */
  private static final List<String> ADAPTER = List.of(MODEL, "annotation", "spi", "adapter");

  /**
   * The only types of the API that import internal packages. That makes a cycle of packages, so
   * they are listed.
   */
  private static final List<String> ENTRIES =
      List.of(
          "Weir",
          "RateLimiter",
          "adapter.LimitedCall",
          "adapter.WeirKeeper",
          "store.BucketArithmetic",
          "store.ExactArithmetic");

  private final String root;

  Walls(String root) {
    this.root = root;
  }

  /** The Weir packages that each package may import. A new package needs a line. */
  static Map<String, List<String>> imports() {
    Map<String, List<String>> table = new LinkedHashMap<>();
    table.put("annotation", List.of());
    table.put(MODEL, List.of("annotation", "spi", "store", "adapter", "internal.value"));
    table.put("access", List.of("internal.value"));
    table.put("adapter", List.of(MODEL, "spi", "store"));
    table.put("spi", List.of(MODEL, "annotation", "store", "access"));
    table.put("store", List.of(MODEL, "annotation", "internal.value"));
    table.put("metrics", List.of(MODEL, "annotation", "spi"));
    table.put("tracing", List.of("spi"));
    table.put("bucket4j", List.of(MODEL, "annotation", "store", "internal.threads"));
    table.put(
        "internal.extension",
        List.of(
            MODEL,
            "access",
            "annotation",
            "spi",
            "store",
            "internal.http",
            "internal.threads",
            "internal.value"));
    table.put("internal.threads", List.of());
    table.put("internal.value", List.of());
    table.put("internal.module", List.of(MODEL, "spi", "internal.value"));
    table.put("internal.clock", List.of(MODEL));
    table.put(
        "internal.store",
        List.of(MODEL, "annotation", "store", "internal.extension", "internal.value"));
    table.put("internal.permits", List.of(MODEL, "annotation", "store", "internal.value"));
    table.put("internal.algorithm", List.of(MODEL, "annotation", "store"));
    table.put(
        "internal.inprocess",
        List.of(
            MODEL,
            "annotation",
            "spi",
            "store",
            "internal.clock",
            "internal.module",
            "internal.permits"));
    table.put(
        "internal.writeback",
        List.of(
            MODEL,
            "annotation",
            "store",
            "internal.algorithm",
            "internal.permits",
            "internal.clock",
            "internal.value"));
    table.put(
        "internal.redis",
        List.of(
            MODEL,
            "annotation",
            "spi",
            "store",
            "internal.clock",
            "internal.module",
            "internal.threads",
            "internal.value",
            "internal.extension",
            "internal.store"));
    table.put(
        "internal.settings",
        List.of(
            MODEL,
            "access",
            "annotation",
            "spi",
            "store",
            "internal.http",
            "internal.extension",
            "internal.value"));
    table.put("internal.body", List.of(MODEL, "spi", "adapter", "internal.settings"));
    table.put(
        "internal.key",
        List.of(
            MODEL,
            "annotation",
            "spi",
            "internal.settings",
            "internal.extension",
            "internal.value"));
    table.put(
        "internal.access",
        List.of(
            MODEL,
            "access",
            "spi",
            "internal.settings",
            "internal.extension",
            "internal.key",
            "internal.threads",
            "internal.value"));
    table.put(
        "internal.ban",
        List.of(
            MODEL,
            "annotation",
            "access",
            "store",
            "internal.extension",
            "internal.permits",
            "internal.value"));
    table.put(
        "internal.policy",
        List.of(
            MODEL,
            "annotation",
            "spi",
            "store",
            "adapter",
            "internal.container",
            "internal.region",
            "internal.settings",
            "internal.key",
            "internal.value"));
    table.put(
        "internal.http",
        List.of(
            MODEL, "annotation", "spi", "store", "adapter", "internal.permits", "internal.value"));
    table.put("internal.load", List.of(MODEL, "spi"));
    table.put(
        "internal.region",
        List.of(
            MODEL,
            "annotation",
            "store",
            "internal.algorithm",
            "internal.extension",
            "internal.permits",
            "internal.settings",
            "internal.threads",
            "internal.value",
            "internal.clock"));
    table.put(
        "internal.engine",
        List.of(
            MODEL,
            "annotation",
            "spi",
            "store",
            "internal.clock",
            "internal.threads",
            "internal.value",
            "internal.extension",
            "internal.permits",
            "internal.inprocess",
            "internal.writeback",
            "internal.region",
            "internal.load"));
    table.put(
        "internal.guard",
        List.of(
            MODEL,
            "access",
            "annotation",
            "spi",
            "store",
            "adapter",
            "internal.extension",
            "internal.load",
            "internal.permits",
            "internal.settings",
            "internal.key",
            "internal.access",
            "internal.body",
            "internal.ban",
            "internal.policy",
            "internal.http",
            "internal.engine"));
    table.put(
        "internal.application",
        List.of(
            MODEL,
            "annotation",
            "spi",
            "store",
            "access",
            "adapter",
            "metrics",
            "tracing",
            "internal.clock",
            "internal.threads",
            "internal.extension",
            "internal.settings",
            "internal.key",
            "internal.access",
            "internal.ban",
            "internal.policy",
            "internal.http",
            "internal.load",
            "internal.region",
            "internal.value",
            "internal.engine",
            "internal.guard"));
    table.put("jaxrs", with(ADAPTER, List.of("internal.container")));
    table.put("servlet", with(ADAPTER, List.of("internal.container")));
    table.put("aspectj", with(ADAPTER, List.of("internal.container")));
    table.put("internal.container", List.of("annotation", "internal.extension"));
    // Inner packages don't import the package that contains them.
    table.put(
        "internal.engine.warmup",
        List.of(
            MODEL,
            "annotation",
            "store",
            "internal.value",
            "internal.permits",
            "internal.writeback"));
    table.put(
        "internal.policy.draft",
        List.of(
            MODEL, "annotation", "store", "internal.region", "internal.settings", "internal.key"));
    table.put(
        "internal.redis.address",
        List.of("spi", "internal.module", "internal.store", "internal.value"));
    table.put(
        "internal.writeback.lease",
        List.of(
            MODEL,
            "annotation",
            "store",
            "internal.algorithm",
            "internal.permits",
            "internal.clock"));
    table.put(
        "internal.writeback.debt",
        List.of(
            MODEL,
            "annotation",
            "store",
            "internal.algorithm",
            "internal.permits",
            "internal.clock"));
    table.put("internal.writeback.channel", List.of("store", "internal.clock", "internal.permits"));
    table.put(
        "internal.redis.connection",
        List.of(MODEL, "internal.module", "internal.threads", "internal.redis.address"));
    return table;
  }

  private static List<String> with(List<String> all, List<String> more) {
    return Stream.concat(all.stream(), more.stream()).toList();
  }

  /** All rules by name. */
  Map<String, ArchRule> all() {
    Map<String, ArchRule> rules = new LinkedHashMap<>();
    imports().forEach((from, to) -> rules.put("imports of " + from, importsOnly(from, to)));
    imports().keySet().stream()
        .filter(Walls::isInnerName)
        .forEach(inner -> rules.put("inner " + inner, isInner(inner)));
    rules.put("no cycles", slices().matching(root + ".internal.(*)..").should().beFreeOfCycles());
    rules.put("no internal types in the API", apiShowsNothingInternal());
    new Libraries(root).all().forEach((name, rule) -> rules.put("library " + name, rule));
    new Habits(root).all().forEach(rules::put);
    return rules;
  }

  /** Returns whether it is a package within an internal package. */
  private static boolean isInnerName(String name) {
    return name.chars().filter(letter -> letter == '.').count() == 2;
  }

  private ArchRule importsOnly(String from, List<String> to) {
    DescribedPredicate<JavaClass> seen = in(from);
    for (String each : to) {
      seen = seen.or(in(each));
    }
    return noClasses()
        .that(in(from).and(DescribedPredicate.not(entry())))
        .should()
        .dependOnClassesThat(resideInAPackage(root + "..").and(DescribedPredicate.not(seen)))
        .as("%s imports only %s".formatted(from.isEmpty() ? "the model" : from, to));
  }

  private DescribedPredicate<JavaClass> entry() {
    return DescribedPredicate.describe(
        "entries",
        type -> ENTRIES.stream().anyMatch(each -> type.getName().equals(root + "." + each)));
  }

  /** The signatures of API types contain no internal type. */
  private ArchRule apiShowsNothingInternal() {
    DescribedPredicate<JavaClass> inside = resideInAPackage(root + ".internal..");
    return codeUnits()
        .that()
        .areDeclaredInClassesThat(DescribedPredicate.not(inside).and(modifier(PUBLIC)))
        .and(modifier(PUBLIC).<JavaCodeUnit>forSubtype().or(modifier(PROTECTED)))
        .should(
            new ArchCondition<JavaCodeUnit>("show only types of the API") {
              @Override
              public void check(JavaCodeUnit unit, ConditionEvents events) {
                Stream.concat(
                        unit.getRawParameterTypes().stream(), Stream.of(unit.getRawReturnType()))
                    .filter(inside)
                    .forEach(
                        type ->
                            events.add(
                                SimpleConditionEvent.violated(
                                    unit, unit.getFullName() + " shows " + type.getName())));
              }
            });
  }

  private ArchRule isInner(String name) {
    return noClasses()
        .that(DescribedPredicate.not(in(name.substring(0, name.lastIndexOf('.')))))
        .should()
        .dependOnClassesThat(in(name))
        .as(name + " is known only to the package that it is in");
  }

  private DescribedPredicate<JavaClass> in(String name) {
    return name.isEmpty() ? resideInAPackage(root) : resideInAnyPackage(root + "." + name + "..");
  }
}
