package io.weir.engine;

import io.weir.Ask;
import io.weir.Offer;
import io.weir.store.Bucket;
import io.weir.store.Grant;
import io.weir.store.Wish;
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
record Asked(Ask ask, InForce inForce, boolean peeks, Wish ownWish) {
  private static final Grant ALL = new Grant(0, 0, 0, Long.MAX_VALUE, 0, 0);
  private static final long SOON = 1_000_000;
  private static final Grant NOTHING = new Grant(0, 0, 0, 0, SOON, SOON);

  /** Takes the permits of an ask, or looks whether they are there. */
  static Asked of(Ask ask, InForce inForce, boolean peeks) {
    boolean looks = peeks || ask.permits() > inForce.full();
    return new Asked(ask, inForce, peeks, wish(ask, inForce, looks));
  }

  /** The same of one of several nodes that can't ask the store. */
  Asked share(int nodes) {
    return nodes == 1 ? this : of(ask, inForce.share(nodes), peeks);
  }

  /** The same of a node that has had so many permits of its share already. */
  Asked less(long permits) {
    return permits == 0 ? this : of(ask, inForce.less(ask.policy(), permits), peeks);
  }

  /** The same by what is kept back for such nodes. */
  Asked share(InForce share, Reserve reserve) {
    boolean looks = peeks || ask.permits() > share.full();
    return new Asked(ask, share, peeks, wish(ask, share, looks, reserve.bucket(ask)));
  }

  static Wish wish(Ask ask, InForce inForce, boolean looks) {
    return wish(ask, inForce, looks, new Bucket(ask.policy().shape(), ask.key()));
  }

  static Wish wish(Ask ask, InForce inForce, boolean looks, Bucket bucket) {
    // Of what can't ever be there, ask for all that can.
    long permits = looks ? Math.min(ask.permits(), inForce.full()) : ask.permits();
    return new Wish(inForce.offer(ask.policy(), permits), bucket, looks);
  }

  /** What to ask the source; the last of them is the ask's own. */
  List<Wish> wishes() {
    return inForce.reduced() ? List.of(nominal(), ownWish) : List.of(ownWish);
  }

  // What the limit as it should be would have left: only that tells who is refused for the sake of
  // an overloaded node. It goes before the ask's own wish, because a store may count time by the
  // last capacity that it saw.
  private Wish nominal() {
    long limit = inForce.limit();
    Offer offer =
        new Offer(ask.policy(), ownWish.permits(), limit, inForce.within(), inForce.nominal(), 0);
    return new Wish(offer, ownWish.bucket(), true);
  }

  /** Whether a fresh bucket has that many permits; if not, there is nothing to take. */
  boolean possible() {
    return ask.permits() <= inForce.full();
  }

  /** What the answers to the wishes come to; nothing if the ask's own has none. */
  Optional<Verdict> verdict(List<Optional<Grant>> answers, Basis basis) {
    Optional<Grant> nominal = inForce.reduced() ? answers.get(0) : Optional.empty();
    boolean fitsNominal = nominal.isPresent() && nominal.get().left() >= ask.permits();
    return answers
        .get(answers.size() - 1)
        .map(grant -> new Verdict(this, grant, basis, fitsNominal));
  }

  /** A refusal by what this node knows. */
  Verdict refused(Grant known) {
    return new Verdict(this, known, Basis.LOCAL, false);
  }

  Verdict open() {
    return new Verdict(this, ALL, Basis.OPEN, false);
  }

  Verdict closed() {
    return new Verdict(this, NOTHING, Basis.CLOSED, false);
  }
}
