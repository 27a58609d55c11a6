package io.weir.internal.writeback.lease;

import io.weir.store.GiveBack;
import io.weir.store.Grant;
import java.util.List;

/**
 * The permits of one bucket that this node holds: the lease, and those to be given back.
 *
 * <p>Invariant: a permit is in one of the two. What leaves the lease without being spent is given
 * back.
 *
 * <p>{@link #lease} is safe for concurrent use; everything else needs the bucket's lock.
 */
public final class LeaseHolder {
  private final PendingGiveBacks giveBacks = new PendingGiveBacks();
  private final FastPath fastPath;

  public LeaseHolder(FastPath fastPath) {
    this.fastPath = fastPath;
  }

  /** The lease in force. */
  public Lease lease() {
    return fastPath.lease();
  }

  /**
   * Adds granted permits: to the lease if their slot lasts, otherwise to those to be given back.
   */
  public void add(Grant grant, long endsAt, long now) {
    Lease held = lease();
    long permits = grant.permits();
    if (permits <= 0) {
      return;
    }
    if (now >= endsAt || held.isAlive(now) && held.stamp() > grant.stamp()) {
      giveBacks.add(grant.stamp(), permits); // expired, or of an older slot than the lease
    } else if (held.isAlive(now) && held.stamp() == grant.stamp()) {
      addTo(held, permits, endsAt, now);
    } else {
      release();
      fastPath.setLease(new Lease(grant.stamp(), endsAt, permits));
    }
  }

  // Both ends are right; the earlier is the safe one.
  private void addTo(Lease held, long permits, long endsAt, long now) {
    if (endsAt < held.endsAt() || !held.add(permits, now)) {
      long end = Math.min(endsAt, held.endsAt());
      fastPath.setLease(new Lease(held.stamp(), end, held.seal() + permits));
    }
  }

  /** Refunds permits of a grant: to their lease if it is alive. */
  public void refund(long stamp, long permits, long now) {
    if (lease().stamp() != stamp || !lease().add(permits, now)) {
      giveBacks.add(stamp, permits);
    }
  }

  /** Gives back the lease if its slot has ended. */
  public void expire(long now) {
    if (lease() != Lease.NONE && !lease().isAlive(now)) {
      release();
    }
  }

  /** Gives back the whole lease. */
  public void release() {
    Lease old = lease();
    if (old != Lease.NONE) {
      fastPath.setLease(Lease.NONE);
      giveBacks.add(old.stamp(), old.seal());
    }
  }

  /** Gives back what the lease holds beyond so many permits. */
  public void trim(long keep, long now) {
    Lease held = lease();
    long surplus = held.permits() - keep;
    if (surplus > 0 && held.withdraw(surplus, now)) {
      giveBacks.add(held.stamp(), surplus);
    }
  }

  /** Whether there are permits to give back. */
  public boolean hasGiveBacks() {
    return !giveBacks.isEmpty();
  }

  /** Takes out the permits to give back, to be sent once. */
  public List<GiveBack> takeGiveBacks() {
    return giveBacks.take();
  }

  /** Whether this node holds no permit of the bucket. */
  public boolean isEmpty() {
    return lease().permits() == 0 && giveBacks.isEmpty();
  }
}
