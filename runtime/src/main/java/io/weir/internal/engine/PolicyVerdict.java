package io.weir.internal.engine;

import io.weir.Decision;
import io.weir.Outcome;
import io.weir.Reason;
import io.weir.internal.permits.RequestDecision;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.Grant;

/**
 * What one ask came to by itself, before it is known whether all of a request go through.
 *
 * <p>Immutable.
 *
 * @param asked the ask
 * @param grant what the source answered
 * @param basis whose answer it is
 * @param fitsNominal whether a node that isn't overloaded would have admitted it
 */
record PolicyVerdict(PendingRequest asked, Grant grant, DecidedBy basis, boolean fitsNominal) {
  boolean admits() {
    return switch (basis) {
      case OPEN, UNASKED -> true;
      case CLOSED -> false;
      case STORE, LOCAL -> asked.possible() && enough() >= asked.ask().permits();
    };
  }

  private long enough() {
    return asked.peeks() ? grant.left() : grant.permits();
  }

  /** Whether the source left out to ask, since another wish of the request can't be met. */
  boolean unasked() {
    return basis == DecidedBy.STORE
        && !asked.peeks()
        && asked.possible()
        && grant.permits() == 0
        && grant.retry() == 0;
  }

  /** The same without a say, where another policy refuses. */
  PolicyVerdict withoutSay() {
    return new PolicyVerdict(asked, grant, DecidedBy.UNASKED, false);
  }

  /** Whether the request is refused because of this. */
  boolean blocks() {
    return !admits() && !asked.ask().policy().shadow();
  }

  /** What the request got, if it goes through. */
  private long taken() {
    return admits() ? Math.min(asked.ask().permits(), grant.permits()) : 0;
  }

  /** What was granted and isn't used. */
  long surplus(boolean kept) {
    return grant.permits() - (kept ? taken() : 0);
  }

  boolean degraded() {
    return basis.degraded();
  }

  /** The decision of this policy, of a request that keeps what it got or gave it back. */
  Decision part(boolean kept) {
    RequestTerms terms = asked.ownWish().terms();
    long left = kept ? grant.left() : grant.left() + taken();
    return RequestDecision.builder(terms.policy(), asked.ask().key())
        .outcome(outcome(), reason())
        .remaining(terms.limit(), terms.remaining(left))
        .after(terms.reset(left, grant.reset()), retry())
        .taken(kept ? taken() : 0, grant.stamp())
        .degraded(degraded())
        .build();
  }

  private Outcome outcome() {
    if (!admits()) {
      return blocks() ? Outcome.REFUSED : Outcome.SHADOW_REFUSED;
    }
    long leftThen = asked.peeks() ? grant.left() - asked.ask().permits() : grant.left();
    return asked.ownWish().terms().outcome(leftThen);
  }

  private Reason reason() {
    if (admits()) {
      return Reason.WITHIN_LIMIT;
    }
    if (basis == DecidedBy.CLOSED) {
      return Reason.STORE_UNAVAILABLE;
    }
    return fitsNominal ? Reason.REDUCED_CAPACITY : Reason.QUOTA_EXCEEDED;
  }

  private long retry() {
    if (admits()) {
      return 0;
    }
    // What a full bucket doesn't hold never fits; but a window later the limit may be another.
    boolean never = !asked.possible() && basis != DecidedBy.CLOSED;
    return never ? asked.ask().policy().spec().windowMicros() : grant.retry();
  }
}
