package io.weir.internal.writeback.lease;

import io.weir.internal.writeback.Still;
import io.weir.store.Grant;

/** Leases of active buckets, for tests outside of this package. */
public final class Leases {
  private Leases() {}

  /** Gives a bucket a lease. */
  public static Lease put(FastPath bucket, long stamp, long endsAt, long permits) {
    Grant grant = Grant.builder().granted(permits, stamp, 0).build();
    LeaseHolder holder =
        new LeaseHolder(bucket, new FarLeaseSizer(Still.POLICY.spec(), Still.HORIZON));
    long unused = holder.add(grant, 0, 1, endsAt, Long.MIN_VALUE);
    return holder.lease();
  }

  public static long permits(Lease lease) {
    return lease.permits();
  }

  public static long used(Lease lease) {
    return lease.used();
  }

  public static long requests(Lease lease) {
    return lease.requests();
  }

  /** Lets requests wait for a bucket, which come first then. */
  public static void letWait(FastPath bucket) {
    bucket.setHasWaiters(true);
  }
}
