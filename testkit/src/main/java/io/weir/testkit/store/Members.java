package io.weir.testkit.store;

import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import java.util.Map;
import java.util.TreeMap;

/**
 * Keeps the nodes that have sent a heartbeat lately, and the share of the overshoot that each was
 * given: never more than the others leave, so that all that are remembered at one moment make at
 * most one whole.
 *
 * <p>Confine to one thread.
 */
final class Members {
  private final Map<String, Member> members = new TreeMap<>();

  Membership heartbeat(String node, long now) {
    members.values().removeIf(member -> member.until() <= now);
    members.remove(node);
    int others = members.values().stream().mapToInt(Member::share).sum();
    int live = members.size() + 1;
    int share = Math.min(Membership.WHOLE / live, Membership.WHOLE - others);
    members.put(node, new Member(share, now + LeasingStore.MEMBERSHIP_MICROS));
    return new Membership(live, share);
  }

  void leave(String node) {
    members.remove(node);
  }

  void forget() {
    members.clear();
  }

  private record Member(int share, long until) {}
}
