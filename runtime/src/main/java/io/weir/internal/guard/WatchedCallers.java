package io.weir.internal.guard;

import io.weir.internal.ban.WatchedCaller;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Holds the callers that policies may ban because of one request. Safe for concurrent use. */
final class WatchedCallers {
  private volatile List<WatchedCaller> all = List.of();

  /** The policies that have refused the request, or a call within it; guarded by this. */
  private final Set<String> refusing = new HashSet<>();

  List<WatchedCaller> all() {
    return all;
  }

  /** Adds a caller; returns false if it is there already. */
  synchronized boolean add(WatchedCaller caller) {
    if (all.contains(caller)) {
      return false;
    }
    all = Stream.concat(all.stream(), Stream.of(caller)).toList();
    return true;
  }

  synchronized void removeIf(Predicate<WatchedCaller> condition) {
    all = all.stream().filter(condition.negate()).toList();
  }

  /** Takes note of a refusal; returns whether it is the policy's first. */
  synchronized boolean refuse(String policy) {
    return refusing.add(policy);
  }
}
