package io.weir.internal.rules.rulebook;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.rules.Rule;
import io.weir.rules.RuleWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Puts the own limits of callers in the place of their tier's, and makes rules of their own for
 * windows that no rule of the tier has.
 *
 * <p>Safe for concurrent use.
 */
final class OwnRules {
  /** Callers share them, and may have as many windows as there are seconds in a year. */
  private static final int MOST = 10_000;

  private final RulebookContext context;
  private final Map<String, List<CompiledRule>> byTier = new HashMap<>();
  private final Cache<Wanted, Optional<CompiledRule>> made =
      Caffeine.newBuilder().maximumSize(MOST).executor(Runnable::run).build();

  private record Wanted(CompiledRule like, Duration window) {}

  OwnRules(List<CompiledRule> rules, RulebookContext context) {
    this.context = context;
    rules.forEach(
        each -> byTier.computeIfAbsent(each.rule().tier(), any -> new ArrayList<>()).add(each));
  }

  /** The rules kept of a tier, each under the caller's own limit if it has one. */
  void apply(String tier, List<CompiledRule> kept, OwnLimits own, List<AppliedRule> all) {
    List<OwnLimits.Entry> apart = new ArrayList<>(0);
    List<CompiledRule> like = new ArrayList<>(0);
    for (CompiledRule rule : kept) {
      AppliedRule applied = AppliedRule.of(rule);
      for (OwnLimits.Entry each : own.entries()) {
        if (!each.names(rule)) {
          continue;
        }
        if (each.isFor(rule)) {
          applied = applied.withOwnLimit(each.limit().limit());
        } else if (!apart.contains(each) && !hasWindow(tier, each)) {
          apart.add(each);
          like.add(rule);
        }
      }
      all.add(applied);
    }
    for (int at = 0; at < apart.size(); at++) {
      long limit = apart.get(at).limit().limit();
      Duration window = apart.get(at).limit().window().orElseThrow();
      made(like.get(at), window)
          .ifPresent(rule -> all.add(AppliedRule.of(rule).withOwnLimit(limit)));
    }
  }

  /** Whether a rule of the tier that an own limit names has its window, for any method. */
  private boolean hasWindow(String tier, OwnLimits.Entry own) {
    return byTier.getOrDefault(tier, List.of()).stream()
        .anyMatch(each -> own.names(each) && own.isFor(each));
  }

  /** Whether an own limit names any rule of a tier, or a policy, which may be bound later. */
  boolean fits(String tier, OwnLimits.Entry own) {
    return own.limit().rule().startsWith(Rule.POLICY)
        || byTier.getOrDefault(tier, List.of()).stream().anyMatch(own::names);
  }

  private Optional<CompiledRule> made(CompiledRule like, Duration window) {
    return made.get(new Wanted(like, window), this::make);
  }

  private Optional<CompiledRule> make(Wanted wanted) {
    Rule like = wanted.like.rule();
    RuleWindow window = RuleWindow.ofSeconds(wanted.window.toSeconds());
    String name = RulePolicies.nameWith(like, window);
    Rule rule = like.toBuilder().window(window).zone("").name(name).build();
    return RuleCompiler.compile(rule, context).rule();
  }
}
