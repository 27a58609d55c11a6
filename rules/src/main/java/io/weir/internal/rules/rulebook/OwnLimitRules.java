package io.weir.internal.rules.rulebook;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.rules.Rule;
import io.weir.rules.RuleWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Replaces the limits of a tier by the own limits of a caller, and makes further rules for windows
 * that no rule of the tier has.
 *
 * <p>Safe for concurrent use.
 */
final class OwnLimitRules {
  /** Callers share rules, and may have as many windows as there are seconds in a year. */
  private static final int MAX_WINDOWS = 10_000;

  private final Function<Rule, Optional<CompiledRule>> compiler;

  /**
   * The rules by tier, and by their names in own limits of its callers: name, {@link
   * EndpointPattern}, and {@code policy:} with a name.
   */
  private final Map<String, Map<Object, List<CompiledRule>>> byTier = new HashMap<>();

  private final Cache<Wanted, Optional<CompiledRule>> made =
      Caffeine.newBuilder().maximumSize(MAX_WINDOWS).executor(Runnable::run).build();

  private record Wanted(CompiledRule like, Duration window) {}

  OwnLimitRules(List<CompiledRule> rules, Function<Rule, Optional<CompiledRule>> compiler) {
    this.compiler = compiler;
    for (CompiledRule each : rules) {
      add(each, each.name());
      if (!each.enforcedName().equals(each.name())) {
        add(each, each.enforcedName());
      }
      add(each, each.rule().isForPolicy() ? each.rule().pattern() : each.pattern());
    }
  }

  private void add(CompiledRule rule, Object name) {
    byTier
        .computeIfAbsent(rule.rule().tier(), any -> new HashMap<>())
        .merge(name, List.of(rule), OwnLimitRules::join);
  }

  private static List<CompiledRule> join(List<CompiledRule> some, List<CompiledRule> others) {
    List<CompiledRule> all = new ArrayList<>(some);
    all.addAll(others);
    return all;
  }

  private List<CompiledRule> named(String tier, OwnLimits.Entry own) {
    Object name = own.pattern() == null ? own.limit().rule() : own.pattern();
    return byTier.getOrDefault(tier, Map.of()).getOrDefault(name, List.of());
  }

  /** The rules kept of a tier, each under the caller's own limit if it has one. */
  void apply(String tier, List<CompiledRule> kept, OwnLimits own, List<AppliedRule> all) {
    Map<OwnLimits.Entry, CompiledRule> apart = new LinkedHashMap<>(0);
    for (CompiledRule rule : kept) {
      AppliedRule applied = AppliedRule.of(rule);
      for (OwnLimits.Entry each : own.about(rule)) {
        if (each.isFor(rule)) {
          applied = applied.withOwnLimit(each.limit().limit());
        } else if (each.limit().window().isPresent() && !hasWindow(tier, each, rule.isShadow())) {
          apart.merge(each, rule, OwnLimitRules::enforcedFirst);
        }
      }
      all.add(applied);
    }
    apart.forEach(
        (each, like) -> {
          long limit = each.limit().limit();
          made(like, each.limit().window().orElseThrow())
              .ifPresent(rule -> all.add(AppliedRule.of(rule).withOwnLimit(limit)));
        });
  }

  /** An own limit is enforced beside a rule that is, also while another one is tried. */
  private static CompiledRule enforcedFirst(CompiledRule one, CompiledRule other) {
    return one.isShadow() ? other : one;
  }

  /**
   * Returns whether a rule of the tier that an own limit names has its window, for any method. One
   * in shadow mode has it only for others in shadow mode, as it never refuses.
   */
  private boolean hasWindow(String tier, OwnLimits.Entry own, boolean inShadow) {
    return named(tier, own).stream()
        .anyMatch(each -> own.isFor(each) && (inShadow || !each.isShadow()));
  }

  /** Returns whether an own limit has the pattern of quotas only, which it can't be for. */
  boolean isForQuotaAlone(String tier, OwnLimits.Entry own) {
    return !named(tier, own).isEmpty() && !fits(tier, own);
  }

  /**
   * Returns whether an own limit names any rule of a tier, or a policy, which may be bound later.
   */
  boolean fits(String tier, OwnLimits.Entry own) {
    return own.limit().rule().startsWith(Rule.POLICY)
        || named(tier, own).stream()
            .anyMatch(each -> own.limit().window().isPresent() || own.isFor(each));
  }

  /** Returns whether an own limit has the name or pattern of a rule of a tier. */
  boolean isNamed(String tier, OwnLimits.Entry own) {
    return !named(tier, own).isEmpty();
  }

  /** Returns a rule under the limit that a caller has for its name. */
  static AppliedRule named(CompiledRule rule, OwnLimits own) {
    AppliedRule applied = AppliedRule.of(rule);
    for (OwnLimits.Entry each : own.about(rule)) {
      if (each.isFor(rule)) {
        applied = applied.withOwnLimit(each.limit().limit());
      }
    }
    return applied;
  }

  private Optional<CompiledRule> made(CompiledRule like, Duration window) {
    return made.get(new Wanted(like, window), this::make);
  }

  private Optional<CompiledRule> make(Wanted wanted) {
    Rule like = wanted.like.rule();
    RuleWindow window = RuleWindow.ofSeconds(wanted.window.toSeconds());
    String name = RulePolicyFactory.nameWith(like, window);
    Rule rule = like.toBuilder().window(window).zone("").maxRollover(0).name(name).build();
    return compiler.apply(rule);
  }
}
