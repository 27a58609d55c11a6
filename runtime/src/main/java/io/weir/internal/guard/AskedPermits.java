package io.weir.internal.guard;

import io.weir.PermitRequest;
import io.weir.internal.guard.NextDecision.Undecided;
import io.weir.store.BucketId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Collects what the policies would ask of the limiter for a request that somebody asks about, and
 * why some of it isn't known. Confine to one thread.
 */
final class AskedPermits {
  private final DecisionHistory history;
  private final Map<BucketId, Asked> asked = new LinkedHashMap<>();
  private final Map<String, Undecided> unread = new LinkedHashMap<>();

  /**
   * One bucket, and the reasons, in the order of the policy, why the request may be for another one
   * or for another limit.
   */
  record Asked(PermitRequest request, Set<String> reasons) {
    private Asked and(Asked other) {
      Set<String> all = new LinkedHashSet<>(reasons);
      all.addAll(other.reasons);
      return new Asked(PermitRequestMerger.together(request, other.request), all);
    }
  }

  AskedPermits(DecisionHistory history) {
    this.history = history;
  }

  DecisionHistory history() {
    return history;
  }

  boolean isEmpty() {
    return asked.isEmpty() && unread.isEmpty();
  }

  Collection<Asked> all() {
    return asked.values();
  }

  /** Returns the policies of which no permits could be read. */
  List<Undecided> unread() {
    return List.copyOf(unread.values());
  }

  void add(PermitRequest request, Set<String> reasons) {
    asked.merge(
        new BucketId(request.policy().spec(), request.key()),
        new Asked(request, new LinkedHashSet<>(reasons)),
        Asked::and);
  }

  void addUnread(String policy, Set<String> reasons, boolean mayRefuse) {
    addUnread(new Undecided(policy, String.join("; ", reasons), mayRefuse));
  }

  void addUnread(Undecided policy) {
    unread.put(policy.policy(), policy);
  }

  void addAll(AskedPermits other) {
    other.asked.values().forEach(each -> add(each.request, each.reasons));
    unread.putAll(other.unread);
    history.include(other.history);
  }
}
