package io.weir.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The walls of the house as rules, for a given root package: {@code io.weir}, or a small copy of it
 * in which every wall is breached.
 */
final class Walls {
  /** The model; and beside it what each package may see of the others. */
  private static final String MODEL = "";

  private static final List<String> ADAPTER =
      List.of(
          MODEL, "annotation", "extension", "settings", "key", "policy", "http", "load", "guard");

  private final String root;

  Walls(String root) {
    this.root = root;
  }

  /** What each package may import of ours. Who adds a package adds a line. */
  static Map<String, List<String>> imports() {
    Map<String, List<String>> table = new LinkedHashMap<>();
    table.put("annotation", List.of());
    table.put(MODEL, List.of("annotation"));
    table.put("extension", List.of());
    table.put("store", List.of(MODEL, "annotation"));
    table.put("algorithm", List.of(MODEL, "annotation", "store"));
    table.put("inprocess", List.of(MODEL, "annotation", "store", "algorithm"));
    table.put("writeback", List.of(MODEL, "annotation", "store"));
    table.put("redis", List.of(MODEL, "annotation", "store"));
    table.put("bucket4j", List.of(MODEL, "annotation", "store"));
    table.put("settings", List.of("annotation"));
    table.put("key", List.of(MODEL, "annotation", "settings", "extension"));
    table.put("policy", List.of(MODEL, "annotation", "settings", "key"));
    table.put("http", List.of(MODEL, "annotation"));
    table.put("metrics", List.of(MODEL, "annotation"));
    table.put("load", List.of(MODEL));
    table.put(
        "engine",
        List.of(
            MODEL,
            "annotation",
            "extension",
            "store",
            "inprocess",
            "writeback",
            "metrics",
            "load",
            "key"));
    table.put(
        "guard",
        List.of(
            MODEL,
            "annotation",
            "extension",
            "settings",
            "key",
            "policy",
            "http",
            "metrics",
            "load",
            "engine",
            "store"));
    table.put("jaxrs", ADAPTER);
    table.put("servlet", ADAPTER);
    table.put("aspectj", ADAPTER);
    // Inner packages don't look back at the one that they are in.
    table.put("policy.draft", List.of(MODEL, "annotation", "settings", "key"));
    table.put("jaxrs.container", List.of());
    table.put("redis.address", List.of());
    table.put("redis.link", List.of(MODEL, "redis.address"));
    return table;
  }

  /** All rules by what they hold. */
  Map<String, ArchRule> all() {
    Map<String, ArchRule> rules = new LinkedHashMap<>();
    imports().forEach((from, to) -> rules.put("imports of " + from, importsOnly(from, to)));
    for (String inner : List.of("policy.draft", "jaxrs.container", "redis.address", "redis.link")) {
      rules.put("inner " + inner, isInner(inner));
    }
    rules.put("no cycles", slices().matching(root + ".(*)..").should().beFreeOfCycles());
    new Libraries(root).all().forEach((name, rule) -> rules.put("library " + name, rule));
    new Habits(root).all().forEach(rules::put);
    return rules;
  }

  private ArchRule importsOnly(String from, List<String> to) {
    DescribedPredicate<JavaClass> seen = in(from);
    for (String each : to) {
      seen = seen.or(in(each));
    }
    return noClasses()
        .that(in(from))
        .should()
        .dependOnClassesThat(resideInAPackage(root + "..").and(DescribedPredicate.not(seen)))
        .as("%s imports only %s".formatted(from.isEmpty() ? "the model" : from, to));
  }

  private ArchRule isInner(String name) {
    return noClasses()
        .that(DescribedPredicate.not(in(name.substring(0, name.indexOf('.')))))
        .should()
        .dependOnClassesThat(in(name))
        .as(name + " is known only to the package that it is in");
  }

  private DescribedPredicate<JavaClass> in(String name) {
    return name.isEmpty() ? resideInAPackage(root) : resideInAnyPackage(root + "." + name + "..");
  }
}
