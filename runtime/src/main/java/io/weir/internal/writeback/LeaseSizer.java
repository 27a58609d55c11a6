package io.weir.internal.writeback;

import io.weir.store.BucketSpec;

/**
 * How many permits of one bucket this node should hold, by what it was asked for lately.
 *
 * <p>Permits ahead of requests must be earned: by ten requests since the last time that some were
 * given back in an exchange of its own. So a slow bucket costs an exchange a request and no more.
 *
 * <p>Needs the entry's lock, but for {@link #demand}'s note.
 *
 * @param spec whose bucket it is
 * @param pace how far ahead to provide
 * @param demand what was asked for
 */
record LeaseSizer(BucketSpec spec, LeaseHorizon pace, Demand demand) {
  private static final int SURPLUS = 10;

  /** Permits to claim ahead of requests, beyond those that requests wait for. */
  long extra(long needed, long held, BucketTerms terms, StoreSnapshot seen) {
    if (!demand.earned() || spec.windowMicros() < pace.flush()) {
      return 0;
    }
    // What this claim itself serves is no evidence of a rate: a herd would hoard.
    long asked = Math.max(demand.sinceFlush() - needed, needed > 0 ? 0 : demand.lastInterval());
    long rate = Math.max(demand.rate(), asked * Demand.PARTS);
    long wanted = pace.over(horizon(terms), rate, terms.burst()) - held;
    // Above the limit only what requests wait for.
    long within = seen.left(terms.burst()) - terms.excess();
    long extra = Math.min(wanted, within);
    return extra < 2 ? 0 : extra;
  }

  private long horizon(BucketTerms terms) {
    return pace.horizon(spec, terms.effectiveLimit(), terms.burst());
  }

  /** Whether nobody has asked for so long that all goes back. */
  boolean idle(StoreSnapshot seen) {
    boolean plenty = seen.left() >= seen.effectiveLimit() - seen.left();
    return demand.quiet() >= pace.idleAfter(plenty, spec.windowMicros());
  }

  /** How much of what is held to keep. */
  long keep(long held, BucketTerms terms) {
    long most = Math.max(demand.rate(), demand.lastInterval() * Demand.PARTS);
    long keep = pace.over(horizon(terms), most, terms.burst());
    return held > 2 * keep + SURPLUS ? keep : held;
  }

  /** Whether to fill the lease up before somebody has to wait. */
  boolean wantsMore(Lease lease, BucketTerms terms, long now) {
    long held = lease.held(now);
    return demand.quiet() == 0
        && demand.earned()
        && held > 0
        && held * Demand.PARTS < 2 * demand.rate()
        && pace.worthToppingUp(horizon(terms))
        && lease.endsAt() - now > pace.flush();
  }

  /** Whether nothing of what was asked lately matters any more: only leases go by a rate. */
  boolean atRest() {
    return demand.quiet() > 0 && (demand.rate() == 0 || !demand.earned());
  }
}
