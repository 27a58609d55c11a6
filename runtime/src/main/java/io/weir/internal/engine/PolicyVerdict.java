package io.weir.internal.engine;

import io.weir.Decision;
import io.weir.Outcome;
import io.weir.Reason;
import io.weir.internal.permits.RequestDecision;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.Grant;
import java.util.List;
import java.util.Optional;

/**
 * Judges a request by one policy, before it is known whether all policies of the request admit it.
 *
 * <p>Immutable.
 *
 * @param fitsNominal whether a node that isn't overloaded would have admitted it
 */
record PolicyVerdict(ResolvedPermitRequest pending, Grant grant, Basis basis, boolean fitsNominal) {
  private static final long SOON_MICROS = 1_000_000;
  private static final Grant UNLIMITED = Grant.refused(Long.MAX_VALUE, 0, 0);
  private static final Grant NOTHING = Grant.refused(0, SOON_MICROS, SOON_MICROS);

  /** The basis of a verdict. */
  enum Basis {
    STORE,
    /** None: another policy of the request refuses, so the store wasn't asked for this one. */
    SKIPPED,
    /** None: the load of this node leaves the policy no permit. */
    OVERLOADED,
    /** This node's own count, while the store is away. */
    LOCAL,
    /** None: admitted while the store is away. */
    OPEN,
    /** None: refused while the store is away, or because the limiter is closed. */
    CLOSED;

    /** Returns whether the store should have been asked, but couldn't be. */
    boolean isDegraded() {
      return this != STORE && this != SKIPPED && this != OVERLOADED;
    }
  }

  /**
   * Judges by the answers to {@link ResolvedPermitRequest#bucketRequests()}; empty if the last has
   * none.
   */
  static Optional<PolicyVerdict> of(
      ResolvedPermitRequest pending, List<Optional<Grant>> answers, Basis basis) {
    if (pending.isOverloaded()) {
      return Optional.of(unasked(pending));
    }
    boolean reduced = pending.effectiveLimit().isReduced();
    Optional<Grant> nominal = reduced ? answers.get(0) : Optional.empty();
    boolean fitsNominal =
        nominal.isPresent() && nominal.get().left() >= pending.request().permits();
    return answers
        .get(answers.size() - 1)
        .map(grant -> new PolicyVerdict(pending, grant, basis, fitsNominal));
  }

  /** Judges without asking the source, because a policy of the request is overloaded. */
  static PolicyVerdict unasked(ResolvedPermitRequest pending) {
    return pending.isOverloaded()
        ? new PolicyVerdict(pending, NOTHING, Basis.OVERLOADED, false)
        : new PolicyVerdict(pending, UNLIMITED, Basis.SKIPPED, false);
  }

  /** Refuses by what this node knows of the bucket. */
  static PolicyVerdict refusedLocally(ResolvedPermitRequest pending, Grant known) {
    return new PolicyVerdict(pending, known, Basis.LOCAL, false);
  }

  /** Refuses because all permits are known to be used. */
  static PolicyVerdict usedUp(ResolvedPermitRequest pending) {
    return refusedLocally(pending, NOTHING);
  }

  static PolicyVerdict open(ResolvedPermitRequest pending) {
    return new PolicyVerdict(pending, UNLIMITED, Basis.OPEN, false);
  }

  static PolicyVerdict closed(ResolvedPermitRequest pending) {
    return new PolicyVerdict(pending, NOTHING, Basis.CLOSED, false);
  }

  boolean admits() {
    return pending.isFree() || hasPermits();
  }

  private boolean hasPermits() {
    return switch (basis) {
      case OPEN, SKIPPED -> true;
      case CLOSED, OVERLOADED -> false;
      case STORE, LOCAL -> pending.isPossible() && available() >= requested();
    };
  }

  private long requested() {
    return pending.request().permits();
  }

  private long available() {
    return pending.peek() ? grant.left() : grant.permits();
  }

  /** Returns whether the source skipped this bucket because another one of the request refuses. */
  boolean isSkipped() {
    return basis == Basis.STORE
        && !pending.peek()
        && !pending.isFree()
        && pending.isPossible()
        && grant.permits() == 0
        && grant.retry() == 0;
  }

  /** Returns this verdict without influence, since another policy refuses the request. */
  PolicyVerdict skipped() {
    return new PolicyVerdict(pending, grant, Basis.SKIPPED, false);
  }

  boolean blocks() {
    return !admits() && !pending.request().policy().shadow();
  }

  /** Returns the permits that the request uses if it is admitted. */
  private long taken() {
    return admits() ? Math.min(requested(), grant.permits()) : 0;
  }

  long surplus(boolean admitted) {
    return grant.permits() - (admitted ? taken() : 0);
  }

  /**
   * Makes the decision of this policy, which keeps what it took if all policies admit the request.
   */
  Decision decision(boolean admitted) {
    RequestTerms terms = pending.bucketRequest().terms();
    if (admitted && basis == Basis.STORE && taken() == terms.permits()) { // as most are
      return RequestDecision.admit(
          terms, pending.request().key(), grant.left(), grant.reset(), grant.stamp());
    }
    long left = admitted ? grant.left() : grant.left() + taken();
    return RequestDecision.builder(terms, pending.request().key())
        .outcome(outcome(), reason())
        .remaining(terms.limit(), terms.remaining(left))
        .after(terms.reset(left, grant.reset()), retry())
        .taken(admitted ? taken() : 0, grant.stamp())
        .degraded(basis.isDegraded())
        .free(pending.isFree())
        .build();
  }

  private Outcome outcome() {
    if (!admits()) {
      return blocks() ? Outcome.REFUSED : Outcome.SHADOW_REFUSED;
    }
    if (pending.isFree()) {
      return Outcome.ADMITTED;
    }
    long leftThen = pending.peek() ? grant.left() - requested() : grant.left();
    return pending.bucketRequest().terms().outcome(leftThen);
  }

  private Reason reason() {
    if (admits()) {
      return Reason.WITHIN_LIMIT;
    }
    if (isNever()) {
      return Reason.COST_ABOVE_LIMIT;
    }
    if (basis == Basis.CLOSED) {
      return Reason.STORE_UNAVAILABLE;
    }
    boolean byLoad = fitsNominal || basis == Basis.OVERLOADED;
    return byLoad ? Reason.REDUCED_CAPACITY : Reason.QUOTA_EXCEEDED;
  }

  /** Returns whether no retry helps, whatever the load and however many nodes there are. */
  private boolean isNever() {
    boolean whole =
        basis == Basis.STORE && !LimitCalculator.followsLoad(pending.request().policy());
    return pending.isNeverPossible() || whole && !pending.isPossible();
  }

  private long retry() {
    if (admits()) {
      return 0;
    }
    if (isNever()) {
      return RequestDecision.NEVER;
    }
    // A request for more than a full bucket has now doesn't fit, but a window later the load, or
    // the number of nodes that share the limit, may have changed.
    boolean asked = basis != Basis.CLOSED && basis != Basis.OVERLOADED;
    return asked && !pending.isPossible()
        ? pending.request().policy().spec().windowMicros()
        : grant.retry();
  }
}
