package io.weir.internal.rules.rulebook;

import io.weir.internal.rules.rulebook.pattern.EndpointPattern;
import io.weir.rules.Rule;
import io.weir.rules.tier.OwnLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The own limits of one caller, read once so that requests needn't.
 *
 * <p>Immutable.
 */
public final class OwnLimits {
  /** No limits. */
  public static final OwnLimits NONE = new OwnLimits(List.of());

  private final List<Entry> entries;

  /** One limit, and the pattern that it names, if it names one. */
  record Entry(OwnLimit limit, @Nullable EndpointPattern pattern) {
    /** Returns whether it is about a rule, whatever the window. */
    boolean names(CompiledRule rule) {
      return pattern != null
          ? pattern.equals(rule.pattern()) && !rule.rule().isForPolicy()
          : rule.isCalled(limit.rule()) || limit.rule().equals(rule.rule().pattern());
    }

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
  }

  /**
   * Reads own limits.
   *
   * @param limits as the row of a user has them
   * @return the limits
   */
  public static OwnLimits of(List<OwnLimit> limits) {
    if (limits.isEmpty()) {
      return NONE;
    }
    List<Entry> entries = new ArrayList<>(limits.size());
    limits.forEach(each -> entries.add(new Entry(each, pattern(each.rule()))));
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

  /**
   * Returns whether the caller has no own limits.
   *
   * @return true for {@link #NONE}
   */
  public boolean isEmpty() {
    return entries.isEmpty();
  }

  List<Entry> entries() {
    return entries;
  }

  /** Returns the limit for an annotated policy. */
  Optional<OwnLimit> forPolicy(String policy, @Nullable CompiledRule rule) {
    for (Entry each : entries) {
      String named = each.limit.rule();
      boolean isNamed =
          named.startsWith(Rule.POLICY) && named.substring(Rule.POLICY.length()).equals(policy);
      if (isNamed || rule != null && rule.isCalled(named)) {
        return Optional.of(each.limit);
      }
    }
    return Optional.empty();
  }
}
