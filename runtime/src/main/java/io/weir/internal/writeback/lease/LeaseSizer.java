package io.weir.internal.writeback.lease;

import io.weir.store.BucketSpec;

/**
 * Decides how many permits of one bucket this node should hold, by recent demand.
 *
 * <p>Permits ahead of requests must be earned, by ten requests since the last give-back that was an
 * exchange of its own. So a slow bucket costs one exchange per request and no more.
 *
 * <p>Needs the bucket's lock.
 */
public final class LeaseSizer {
  private static final int TOLERATED_SURPLUS = 10;

  private final BucketSpec spec;
  private final LeaseHorizon horizon;
  private final DemandMeter demand;
  private final FarLeaseSizer farSizer;

  public LeaseSizer(
      BucketSpec spec, LeaseHorizon horizon, DemandMeter demand, FarLeaseSizer farSizer) {
    this.farSizer = farSizer;
    this.spec = spec;
    this.horizon = horizon;
    this.demand = demand;
  }

  /**
   * Returns whether permits ahead of requests would still be of use when the answer has come: a
   * lease lives from before the claim was sent, and at most for its slot.
   */
  public boolean isWorthLeasing(BucketLimits limits, long roundTrip) {
    return roundTrip < horizon.horizon(spec, limits);
  }

  /** Permits to claim ahead of requests, beyond those that requests wait for. */
  public long extra(long needed, long held, BucketLimits limits, BucketSnapshot seen) {
    if (!demand.hasEarned() || spec.windowMicros() < horizon.flushInterval()) {
      return 0;
    }
    long wanted = expected(needed, limits) - held;
    // Above the limit only the permits that requests wait for.
    long within = seen.left(limits.burst()) - limits.excess();
    long extra = Math.min(wanted, within);
    return extra < 2 ? 0 : extra;
  }

  /** Permits that requests will need within the horizon. */
  private long expected(long needed, BucketLimits limits) {
    // Requests served by this claim are no evidence of a rate: a herd would hoard.
    long asked = Math.max(demand.sinceFlush() - needed, needed > 0 ? 0 : demand.lastInterval());
    long rate = Math.max(demand.rate(), asked * DemandMeter.PARTS);
    return horizon.permits(horizon.horizon(spec, limits), rate, limits.burst());
  }

  /** Permits to claim for long, in a far lease, beyond those that requests wait for. */
  public long far(long needed, BucketLimits limits, long now) {
    return farSizer.permits(needed, expected(needed, limits), limits, now);
  }

  /** Returns whether there has been no request for so long that everything is given back. */
  public boolean idle(BucketSnapshot seen) {
    long most = spec.hasRefill() ? seen.burst() : seen.effectiveLimit();
    boolean plenty = seen.left() >= most - seen.left();
    return demand.quiet() >= horizon.idleAfter(plenty, spec.windowMicros());
  }

  /** Returns the number of held permits to keep. */
  public long keep(long held, BucketLimits limits) {
    long rate = Math.max(demand.rate(), demand.lastInterval() * DemandMeter.PARTS);
    long keep = horizon.permits(horizon.horizon(spec, limits), rate, limits.burst());
    return held > 2 * keep + TOLERATED_SURPLUS ? keep : held;
  }

  /** Returns whether to top up the lease before a request has to wait. */
  public boolean wantsTopUp(Lease lease, BucketLimits limits, long now) {
    long held = lease.held(now);
    return demand.quiet() == 0
        && !lease.isFar()
        && demand.hasEarned()
        && held > 0
        && held * DemandMeter.PARTS < 2 * demand.rate()
        && horizon.worthToppingUp(horizon.horizon(spec, limits))
        && lease.endsAt() - now > horizon.flushInterval();
  }

  /** Returns whether recent demand no longer matters; only leases depend on its rate. */
  public boolean atRest() {
    return demand.quiet() > 0 && (demand.rate() == 0 || !demand.hasEarned());
  }
}
