package io.weir.internal.rules.rulebook;

import io.weir.internal.rules.rulebook.pattern.EndpointPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The rules of one tier that match an endpoint and method, the most specific patterns first.
 *
 * <p>Immutable.
 */
final class MatchedTierRules {
  static final MatchedTierRules NONE = new MatchedTierRules(List.of());

  private final List<List<CompiledRule>> byPattern;

  private MatchedTierRules(List<List<CompiledRule>> byPattern) {
    this.byPattern = byPattern;
  }

  static MatchedTierRules of(List<CompiledRule> matching) {
    Map<EndpointPattern, List<CompiledRule>> sorted = new TreeMap<>();
    for (CompiledRule each : matching) {
      sorted.computeIfAbsent(each.pattern(), any -> new ArrayList<>()).add(each);
    }
    return new MatchedTierRules(List.copyOf(sorted.values()));
  }

  /**
   * Returns the rules that apply at a time: all of the most specific pattern that has an enforced
   * one. A rule in shadow mode is kept as if it were enforced, but overrides no other rule.
   */
  List<CompiledRule> kept(long now) {
    List<CompiledRule> kept = new ArrayList<>();
    for (List<CompiledRule> ofPattern : byPattern) {
      boolean isEnforced = false;
      for (CompiledRule each : ofPattern) {
        if (each.holds(now)) {
          kept.add(each);
          isEnforced |= !each.isShadow();
        }
      }
      if (isEnforced) {
        break;
      }
    }
    return kept;
  }

  /** Returns when {@link #kept} may be others; {@code Long.MAX_VALUE}: never. */
  long changesAfter(long now) {
    return byPattern.stream()
        .flatMap(List::stream)
        .mapToLong(each -> each.changesAfter(now))
        .min()
        .orElse(Long.MAX_VALUE);
  }

  boolean hasName(String name) {
    for (List<CompiledRule> ofPattern : byPattern) {
      for (CompiledRule each : ofPattern) {
        if (each.name().equals(name)) {
          return true;
        }
      }
    }
    return false;
  }
}
