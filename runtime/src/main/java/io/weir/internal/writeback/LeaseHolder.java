package io.weir.internal.writeback;

import io.weir.store.GiveBack;
import io.weir.store.Grant;
import java.util.List;

/**
 * The permits of one bucket that are at hand: those of the lease, and those on their way back.
 *
 * <p>Invariant: a permit is in the lease or in the backs, never in both; and what leaves the one
 * without being spent is in the other.
 *
 * <p>{@link #lease} is safe for concurrent use; everything else needs the entry's lock.
 */
final class LeaseHolder {
  private final PendingGiveBacks giveBacks = new PendingGiveBacks();
  private final FastPath answers;

  LeaseHolder(FastPath answers) {
    this.answers = answers;
  }

  Lease lease() {
    return answers.lease();
  }

  /** Takes in what was granted: to spend it if its slot lasts, otherwise to give it back. */
  void bank(Grant grant, long endsAt, long now) {
    Lease held = lease();
    long permits = grant.permits();
    if (permits <= 0) {
      return;
    }
    if (now >= endsAt || held.lives(now) && held.stamp() > grant.stamp()) {
      giveBacks.add(grant.stamp(), permits); // dead on arrival, or of an older slot than the lease
    } else if (held.lives(now) && held.stamp() == grant.stamp()) {
      addTo(held, permits, endsAt, now);
    } else {
      release();
      answers.lease(new Lease(grant.stamp(), endsAt, permits));
    }
  }

  // Both ends are true, so the earlier is the one that surely isn't too late.
  private void addTo(Lease held, long permits, long endsAt, long now) {
    if (endsAt < held.endsAt() || !held.put(permits, now)) {
      long end = Math.min(endsAt, held.endsAt());
      answers.lease(new Lease(held.stamp(), end, held.seal() + permits));
    }
  }

  /** Puts permits of a grant back: into their lease if it lives. */
  void putBack(long stamp, long permits, long now) {
    if (lease().stamp() != stamp || !lease().put(permits, now)) {
      giveBacks.add(stamp, permits);
    }
  }

  /** Gives the lease up if its slot has ended. */
  void expire(long now) {
    if (lease() != Lease.NONE && !lease().lives(now)) {
      release();
    }
  }

  /** Gives the whole lease up. */
  void release() {
    Lease old = lease();
    if (old != Lease.NONE) {
      answers.lease(Lease.NONE);
      giveBacks.add(old.stamp(), old.seal());
    }
  }

  /** Gives up what the lease holds beyond so many. */
  void trim(long keep, long now) {
    Lease held = lease();
    long surplus = held.permits() - keep;
    if (surplus > 0 && held.take(surplus, now)) {
      giveBacks.add(held.stamp(), surplus);
    }
  }

  boolean hasBacks() {
    return !giveBacks.isEmpty();
  }

  List<GiveBack> takeBacks() {
    return giveBacks.take();
  }

  boolean isEmpty() {
    return lease().permits() == 0 && giveBacks.isEmpty();
  }
}
