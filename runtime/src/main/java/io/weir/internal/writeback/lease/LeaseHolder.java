package io.weir.internal.writeback.lease;

import io.weir.store.GiveBack;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds the permits of one bucket at this node: the lease, and those to be given back.
 *
 * <p>Invariant: a permit is in one of the two. Permits that leave the lease unspent are given back.
 *
 * <p>The rest of a far lease goes along with the next claim, and never causes a claim of its own:
 * an infrequent caller would otherwise cost two exchanges. The store also gets the number of
 * permits spent.
 *
 * <p>{@link #lease} is safe for concurrent use; everything else needs the bucket's lock.
 */
public final class LeaseHolder {
  /**
   * The largest small far lease, in permits. A bucket that uses up larger ones may be hot, which
   * only flushes detect.
   */
  private static final int SMALL_FAR_LEASE = 20;

  private final PendingGiveBacks giveBacks;
  private final FastPath fastPath;
  private final FarLeaseSizer farSizer;
  private PendingGiveBacks farGiveBacks = new PendingGiveBacks();
  private long farStamp;

  /** The latest success, for the store to clear the failures before it; 0 if there is none. */
  private long clearBefore;

  public LeaseHolder(FastPath fastPath, FarLeaseSizer farSizer) {
    this.fastPath = fastPath;
    this.farSizer = farSizer;
    this.giveBacks = new PendingGiveBacks(fastPath.isCleared());
  }

  public Lease lease() {
    return fastPath.lease();
  }

  /**
   * Adds granted permits that no request was waiting for: to the lease if their slot lasts,
   * otherwise to those to be given back. Near and far leases don't mix: the granted one replaces
   * the other.
   *
   * @param served how many of the granted permits waiting requests get
   * @return the stamp for decisions of the requests that get some
   */
  public long add(Grant grant, long served, long limit, long endsAt, long now) {
    if (grant.permits() > 0 && grant.isFar()) {
      return addFar(grant, served, limit, endsAt, now);
    }
    addNear(grant, grant.permits() - served, endsAt, now);
    return grant.stamp();
  }

  private void addNear(Grant grant, long permits, long endsAt, long now) {
    if (grant.permits() <= 0) {
      return; // a lease without permits is of use, too: refunds go to it
    }
    Lease held = lease();
    boolean near = held.isAlive(now) && !held.isFar();
    if (goesBack(grant, endsAt, now)) {
      giveBacks.add(grant.stamp(), permits);
    } else if (near && held.stamp() == grant.stamp()) {
      addTo(held, permits, endsAt, now);
    } else {
      release();
      fastPath.setLease(new Lease(grant.stamp(), endsAt, permits));
    }
  }

  /**
   * Returns whether permits of a grant that no waiting request gets are given back at once: they
   * have expired, or are of an older slot than the lease.
   */
  public boolean goesBack(Grant grant, long endsAt, long now) {
    Lease held = lease();
    boolean older = held.isAlive(now) && !held.isFar() && held.stamp() > grant.stamp();
    return now >= endsAt || older && !grant.isFar();
  }

  // Both ends are valid; the earlier is the safe one.
  private void addTo(Lease held, long permits, long endsAt, long now) {
    if (endsAt < held.endsAt() || !held.add(permits, now)) {
      long end = Math.min(endsAt, held.endsAt());
      fastPath.setLease(new Lease(held.stamp(), end, held.seal() + permits));
    }
  }

  private long addFar(Grant grant, long served, long limit, long endsAt, long now) {
    long left = grant.permits() - served;
    farStamp = FarLeaseStamp.next(farStamp, grant.stamp(), farSizer.reports());
    if (now >= endsAt) {
      farGiveBacks.add(grant.stamp(), left, FarLeaseStamp.isReported(farStamp) ? served : 0);
    } else {
      release();
      int size = (int) Math.min(Integer.MAX_VALUE, grant.permits());
      fastPath.setLease(new Lease(farStamp, endsAt, Math.min(size, left), size, limit));
    }
    return farStamp;
  }

  /** Refunds permits of a grant: to their lease if it is alive. */
  public void refund(long stamp, long permits, long now) {
    Lease held = lease();
    boolean far = farSizer.isOn() && FarLeaseStamp.isFar(stamp);
    boolean inForce = held.stamp() == stamp;
    if (inForce && (far ? held.refund(permits) : held.add(permits, now))) {
      return;
    }
    if (!far) {
      giveBacks.add(stamp, permits);
    } else if (FarLeaseStamp.isReported(stamp)) {
      farSizer.refundedTooLate(now); // the store counts them as spent, in an unknown slot
    } else {
      farGiveBacks.add(FarLeaseStamp.inStore(stamp), permits);
    }
  }

  /** Notes that permits were spent by a request that has failed. */
  public void failed(long stamp, long permits) {
    giveBacks.add(stamp, 0, permits);
  }

  /**
   * Notes that permits were spent by a request that has succeeded. They go to the store, and not to
   * the lease, together with the clear.
   */
  public void succeeded(long stamp, long permits) {
    giveBacks.add(stamp, permits);
    clearBefore = Math.max(clearBefore, stamp);
  }

  /**
   * Takes out the stamp of the latest success, to be sent once: if it is lost, the failures count
   * until the next success. 0 if there is none.
   */
  public long takeClearBefore() {
    long stamp = clearBefore;
    clearBefore = 0;
    return stamp;
  }

  /** Gives back the lease if its slot has ended; a far one is given back with the next claim. */
  public void expire(long now) {
    if (lease() != Lease.NONE && !lease().isAlive(now)) {
      releaseNear();
    }
  }

  /** Gives back the lease unless it is a far one. */
  public void releaseNear() {
    if (!lease().isFar()) {
      release();
    }
  }

  public void releaseFar() {
    if (lease().isFar()) {
      release();
    }
  }

  public void release() {
    Lease old = lease();
    if (old != Lease.NONE) {
      fastPath.setLease(Lease.NONE);
      long left = old.seal();
      if (old.isFar()) {
        report(old, left);
      } else {
        giveBacks.add(old.stamp(), left);
      }
    }
  }

  private void report(Lease old, long left) {
    long spent = FarLeaseStamp.isReported(old.stamp()) ? Math.max(0, old.farSize() - left) : 0;
    farGiveBacks.add(FarLeaseStamp.inStore(old.stamp()), left, spent);
    farSizer.ended(old.farSize(), left);
  }

  /** Drops everything about far leases: the store no longer counts their permits. */
  public void forgetFar() {
    releaseFar();
    farGiveBacks.take();
  }

  /** Has the rest of far leases cause a claim of its own. */
  public void sendFar() {
    for (GiveBack each : farGiveBacks.take()) {
      giveBacks.add(each.stamp(), each.permits(), each.spent());
    }
  }

  /** Takes out the rest of far leases, for a bucket that comes to rest; null if there is none. */
  public @Nullable RestingLease rest(long now) {
    Lease held = lease();
    boolean far = held.isFar();
    int left = 0;
    if (far) {
      fastPath.setLease(Lease.NONE);
      left = (int) held.seal();
    }
    PendingGiveBacks pending = farGiveBacks.isEmpty() ? null : farGiveBacks;
    return far || pending != null || farSizer.isWorthKeeping(now)
        ? new RestingLease(
            farStamp,
            held.endsAt(),
            left,
            held.farSize(),
            held.farLimit(),
            farSizer.served(),
            farSizer.lowAt(now),
            pending)
        : null;
  }

  public void restore(RestingLease kept) {
    farSizer.restore(kept);
    farStamp = kept.stamp();
    farGiveBacks = kept.giveBacks() == null ? farGiveBacks : kept.giveBacks();
    if (kept.size() > 0) {
      fastPath.setLease(new Lease(farStamp, kept.endsAt(), kept.left(), kept.size(), kept.limit()));
    }
  }

  /** Gives back the permits of the lease beyond this number. */
  public void trim(long keep, long now) {
    Lease held = lease();
    long surplus = held.permits() - keep;
    if (surplus > 0 && !held.isFar() && held.withdraw(surplus, now)) {
      giveBacks.add(held.stamp(), surplus);
    }
  }

  /** Returns whether there are permits to give back, not counting those of far leases. */
  public boolean hasGiveBacks() {
    return !giveBacks.isEmpty();
  }

  /**
   * Returns whether there are successes or failures to report, for which other nodes' callers may
   * wait.
   */
  public boolean hasOutcomes() {
    return fastPath.isCleared() && hasGiveBacks();
  }

  /** Takes out the permits to give back, to be sent once. */
  public List<GiveBack> takeGiveBacks() {
    if (farGiveBacks.isEmpty()) {
      return giveBacks.take();
    }
    List<GiveBack> all = new ArrayList<>(giveBacks.take());
    all.addAll(farGiveBacks.take());
    return all;
  }

  /** Returns whether it holds nothing but a small far lease that won't be given back. */
  public boolean holdsSmallFarLease() {
    Lease held = lease();
    boolean small = held.isFar() && held.farSize() <= SMALL_FAR_LEASE;
    return small && farSizer.reports() && giveBacks.isEmpty();
  }

  /** Returns whether this node holds no permits of the bucket except those of far leases. */
  public boolean isEmpty() {
    return (lease().isFar() || lease().permits() == 0) && giveBacks.isEmpty();
  }
}
