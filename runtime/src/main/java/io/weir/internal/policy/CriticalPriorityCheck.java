package io.weir.internal.policy;

import io.weir.annotation.Priority;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where CRITICAL helps little: a priority belongs to a policy, not to a request, so the strictest
 * of those that hold together decides.
 */
final class CriticalPriorityCheck {
  private static final Set<Priority> YIELDING = EnumSet.of(Priority.LOW, Priority.NORMAL);

  private CriticalPriorityCheck() {}

  /**
   * Which policies take a CRITICAL one's place under load.
   *
   * @param bound any policy
   * @param together all that hold where it does
   * @return their names and priorities; nothing if there are none, or if it isn't CRITICAL
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
