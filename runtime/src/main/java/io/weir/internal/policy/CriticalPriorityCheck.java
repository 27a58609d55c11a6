package io.weir.internal.policy;

import io.weir.annotation.Priority;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds policies that make a CRITICAL one useless: each policy has a priority, not the request, so
 * the strictest of those that apply together decides.
 */
final class CriticalPriorityCheck {
  private static final Set<Priority> YIELDING = EnumSet.of(Priority.LOW, Priority.NORMAL);

  private CriticalPriorityCheck() {}

  /**
   * Finds the policies that yield to load where a CRITICAL one applies.
   *
   * @param together all that apply where it does
   * @return their names and priorities; empty if there are none, or if the policy isn't CRITICAL
   */
  static Optional<String> stricter(LivePolicy bound, Collection<LivePolicy> together) {
    if (bound.current().priority() != Priority.CRITICAL) {
      return Optional.empty();
    }
    String names =
        together.stream()
            .filter(each -> YIELDING.contains(each.current().priority()))
            .map(each -> each.name() + " (" + each.current().priority() + ")")
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? Optional.empty() : Optional.of(names);
  }
}
