package io.weir.internal.engine;

import io.weir.PermitRequest;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.BucketId;
import io.weir.store.Grant;
import java.util.List;
import java.util.Optional;

/**
 * One ask with what is in force for it, as wishes of a source of permits.
 *
 * <p>Immutable.
 *
 * @param ask what the request asks
 * @param inForce what the policy gives now
 * @param peeks whether to take nothing
 * @param ownWish what the ask itself wishes of the source
 */
record PendingRequest(
    PermitRequest ask, EffectiveLimit inForce, boolean peeks, BucketRequest ownWish) {
  private static final Grant ALL = Grant.refused(Long.MAX_VALUE, 0, 0);
  private static final long SOON = 1_000_000;
  private static final Grant NOTHING = Grant.refused(0, SOON, SOON);

  /** Takes the permits of an ask, or looks whether they are there. */
  static PendingRequest of(PermitRequest ask, EffectiveLimit inForce, boolean peeks) {
    boolean looks = peeks || ask.permits() > inForce.full();
    return new PendingRequest(ask, inForce, peeks, wish(ask, inForce, looks));
  }

  /** The same of one of several nodes that can't ask the store. */
  PendingRequest share(int nodes) {
    return nodes == 1 ? this : of(ask, inForce.share(nodes), peeks);
  }

  /** The same of a node that has had so many permits of its share already. */
  PendingRequest less(long permits) {
    return permits == 0 ? this : of(ask, inForce.less(ask.policy(), permits), peeks);
  }

  /** The same by what is kept back for such nodes. */
  PendingRequest share(EffectiveLimit share, OutageReserve reserve) {
    boolean looks = peeks || ask.permits() > share.full();
    return new PendingRequest(ask, share, peeks, wish(ask, share, looks, reserve.bucket(ask)));
  }

  static BucketRequest wish(PermitRequest ask, EffectiveLimit inForce, boolean looks) {
    return wish(ask, inForce, looks, new BucketId(ask.policy().spec(), ask.key()));
  }

  static BucketRequest wish(
      PermitRequest ask, EffectiveLimit inForce, boolean looks, BucketId bucket) {
    // Of what can't ever be there, ask for all that can.
    long permits = looks ? Math.min(ask.permits(), inForce.full()) : ask.permits();
    return new BucketRequest(inForce.terms(ask.policy(), permits), bucket, looks);
  }

  /** What to ask the source; the last of them is the ask's own. */
  List<BucketRequest> wishes() {
    return inForce.reduced() ? List.of(nominal(), ownWish) : List.of(ownWish);
  }

  // What the limit as it should be would have left: only that tells who is refused for the sake of
  // an overloaded node. It goes before the ask's own wish, because a store may count time by the
  // last capacity that it saw.
  private BucketRequest nominal() {
    long limit = inForce.limit();
    RequestTerms terms =
        new RequestTerms(
            ask.policy(), ownWish.permits(), limit, inForce.within(), inForce.nominal(), 0);
    return new BucketRequest(terms, ownWish.bucket(), true);
  }

  /** Whether a fresh bucket has that many permits; if not, there is nothing to take. */
  boolean possible() {
    return ask.permits() <= inForce.full();
  }

  /** What the answers to the wishes come to; nothing if the ask's own has none. */
  Optional<PolicyVerdict> verdict(List<Optional<Grant>> answers, DecidedBy basis) {
    Optional<Grant> nominal = inForce.reduced() ? answers.get(0) : Optional.empty();
    boolean fitsNominal = nominal.isPresent() && nominal.get().left() >= ask.permits();
    return answers
        .get(answers.size() - 1)
        .map(grant -> new PolicyVerdict(this, grant, basis, fitsNominal));
  }

  /** A refusal by what this node knows. */
  PolicyVerdict refused(Grant known) {
    return new PolicyVerdict(this, known, DecidedBy.LOCAL, false);
  }

  PolicyVerdict open() {
    return new PolicyVerdict(this, ALL, DecidedBy.OPEN, false);
  }

  PolicyVerdict closed() {
    return new PolicyVerdict(this, NOTHING, DecidedBy.CLOSED, false);
  }
}
