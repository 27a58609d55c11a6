package io.weir.internal.rules.rulebook;

import io.weir.internal.rules.rulebook.pattern.EndpointPattern;
import io.weir.rules.Rule;
import io.weir.rules.tier.OwnLimit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The own limits of one caller, read once so that requests needn't.
 *
 * <p>Immutable.
 */
public final class OwnLimits {
  public static final OwnLimits NONE = new OwnLimits(List.of());

  private final List<Entry> entries;

  /** Finds limits by what they name: the name of a rule, or a pattern. */
  private final Map<Object, List<Entry>> byName = new HashMap<>();

  /**
   * One limit, and the pattern that it names, if it names one.
   *
   * @param place its place in the row: of several for one rule the last counts
   */
  record Entry(OwnLimit limit, @Nullable EndpointPattern pattern, int place) {
    /**
     * Returns whether it is for this window: it names none, or this one. A pattern alone isn't for
     * a quota, whose limit for one user is in {@code user_quotas}; a name is.
     */
    boolean isFor(CompiledRule rule) {
      return limit.window().isEmpty()
          ? pattern == null || !rule.isQuota()
          : limit.window().equals(rule.rule().window().length());
    }
  }

  private OwnLimits(List<Entry> entries) {
    this.entries = List.copyOf(entries);
    for (Entry each : entries) {
      Object name = each.pattern == null ? each.limit.rule() : each.pattern;
      byName.computeIfAbsent(name, any -> new ArrayList<>(1)).add(each);
    }
  }

  public static OwnLimits of(List<OwnLimit> limits) {
    if (limits.isEmpty()) {
      return NONE;
    }
    List<Entry> entries = new ArrayList<>(limits.size());
    limits.forEach(each -> entries.add(new Entry(each, pattern(each.rule()), entries.size())));
    return new OwnLimits(entries);
  }

  private static @Nullable EndpointPattern pattern(String text) {
    if (!text.startsWith("/") && !text.equals("*")) {
      return null;
    }
    try {
      return EndpointPattern.parse(text);
    } catch (IllegalArgumentException none) {
      return null; // then it matches no rule, which is reported elsewhere
    }
  }

  public boolean isEmpty() {
    return entries.isEmpty();
  }

  List<Entry> entries() {
    return entries;
  }

  public int size() {
    return entries.size();
  }

  /** Returns the limits about a rule, whatever their windows; in the order of the row. */
  List<Entry> about(CompiledRule rule) {
    List<Entry> all = new ArrayList<>(byName.getOrDefault(rule.name(), List.of()));
    if (!rule.enforcedName().equals(rule.name())) {
      all.addAll(byName.getOrDefault(rule.enforcedName(), List.of()));
    }
    // A pattern that is one isn't found by its text.
    all.addAll(byName.getOrDefault(rule.rule().pattern(), List.of()));
    if (!rule.rule().isForPolicy()) {
      all.addAll(byName.getOrDefault(rule.pattern(), List.of()));
    }
    all.sort(Comparator.comparingInt(Entry::place));
    return all;
  }

  Optional<OwnLimit> forPolicy(String policy, @Nullable CompiledRule rule) {
    Stream<Object> names =
        rule == null
            ? Stream.of(Rule.POLICY + policy)
            : Stream.of(Rule.POLICY + policy, rule.name(), rule.enforcedName());
    return names
        .flatMap(name -> byName.getOrDefault(name, List.of()).stream())
        .min(Comparator.comparingInt(Entry::place))
        .map(Entry::limit);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof OwnLimits that && entries.equals(that.entries);
  }

  @Override
  public int hashCode() {
    return entries.hashCode();
  }
}
