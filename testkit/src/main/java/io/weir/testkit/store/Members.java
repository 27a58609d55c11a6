package io.weir.testkit.store;

import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import java.util.HashMap;
import java.util.Map;

/**
 * Keeps the nodes that have sent a heartbeat lately, and the share of the overshoot that each was
 * given: never more than the others leave, so that all that are remembered at one moment make at
 * most one whole.
 *
 * <p>Of many nodes one in turn counts all, once in an interval, as in Redis: in between a node
 * changes the sums by its own entry alone. So one that joins counts at once, and one that is silent
 * until it is found by the next count.
 *
 * <p>Confine to one thread.
 */
final class Members {
  /** The number of nodes from which on they aren't counted by each heartbeat. */
  private static final int FEW = 32;

  private final Map<String, Member> members = new HashMap<>();
  private long countedAt;
  private long shares;

  Membership heartbeat(String node, long now) {
    if (isCountDue(now)) {
      count(now);
    }
    Member own = members.remove(node);
    shares -= own == null ? 0 : own.share();
    int live = members.size() + 1;
    int share = (int) Math.min(Membership.WHOLE / live, Membership.WHOLE - shares);
    shares += share;
    members.put(node, new Member(share, now + LeasingStore.membershipMicros(live)));
    return new Membership(live, share);
  }

  private boolean isCountDue(long now) {
    long interval =
        LeasingStore.membershipMicros(members.size()) / LeasingStore.REMEMBERED_HEARTBEATS;
    return members.size() < FEW || now - countedAt >= interval;
  }

  private void count(long now) {
    members.values().removeIf(member -> member.until() <= now);
    shares = members.values().stream().mapToLong(Member::share).sum();
    countedAt = now;
  }

  void leave(String node) {
    Member gone = members.remove(node);
    shares -= gone == null ? 0 : gone.share();
  }

  void forget() {
    members.clear();
    shares = 0;
  }

  private record Member(int share, long until) {}
}
