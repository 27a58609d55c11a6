package io.weir.internal.writeback.debt;

import io.weir.annotation.Algorithm;
import io.weir.internal.clock.DriftMargin;
import io.weir.internal.clock.NodeClock;
import io.weir.internal.permits.BucketRequest;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Keeps this node's debts to one bucket, the requests that wait for them to be charged, and the
 * permits that the store has charged to this node, in case it loses its data.
 *
 * <p>A debt is in one of these states: to be sent, in flight, in doubt (the answer is late but may
 * still come), or charged. It is sent again until the store answers, but not while in doubt: a slow
 * store would charge it twice.
 *
 * <p>Needs the bucket's lock.
 */
public final class BucketLedger {
  /** The microseconds by which the clocks of this node and of the store may differ. */
  private static final long CLOCKS_APART = 1_000_000;

  private final BucketId bucket;
  private final OvershootAllowance allowance;
  private final Debts debts;
  private final RecoverableCharges charged;
  private @Nullable SentDebts inFlight;
  private @Nullable SentDebts inDoubt;
  private long inDoubtUntil;
  private List<CompletableFuture<Void>> waiting = new ArrayList<>(0);
  private @Nullable BorrowedPermits borrowed;
  private @Nullable Debts lostCharges;
  private int losses;
  private boolean isForgiven;
  private long windowEnd = Long.MIN_VALUE;
  private long windowEndsFirst = Long.MIN_VALUE;

  /**
   * Begins without debts.
   *
   * @param borrowed permits of this bucket that it has borrowed before, if any
   * @param charged permits that the store has charged to it before
   */
  public BucketLedger(
      BucketId bucket,
      OvershootAllowance allowance,
      @Nullable BorrowedPermits borrowed,
      RecoverableCharges charged) {
    this.bucket = bucket;
    this.borrowed = borrowed;
    this.allowance = allowance;
    this.debts = new Debts(bucket.spec().windowMicros());
    this.charged = charged;
  }

  /** Permits that the store has charged to this node, less those given back. */
  public RecoverableCharges charged() {
    return charged;
  }

  /** Has the next claim report the charges that the store has lost. */
  public void reportLostCharges(long burst, long now) {
    endDoubt(); // an answer from the lost data no longer matters
    losses++;
    lostCharges = new Debts(bucket.spec().windowMicros());
    lostCharges.add(Math.min(charged.total(now), burst), charged.until());
  }

  /** Returns whether lost charges are still to be reported. */
  public boolean hasLostCharges() {
    return lostCharges != null && !lostCharges.isEmpty();
  }

  /**
   * Notes the permits that the store has charged and taken back.
   *
   * @param late whether the answer came after the time-out
   * @param newest whether no later claim of the bucket has been answered yet
   */
  public void charge(
      Claim claim, SentDebts sent, Grant grant, boolean late, boolean newest, long now) {
    arrived(sent);
    long lasts =
        RecoverableCharges.counts(bucket.spec(), claim.effectiveLimit(), claim.burst(), grant);
    long until = NodeClock.after(now, DriftMargin.lengthen(lasts));
    claim.giveBacks().forEach(each -> charged.subtract(each.permits()));
    long debt = late && !resolvesDoubt(sent) ? 0 : sent.total();
    charged.add(grant.permits(), now, until);
    charged.addDebts(debt, now, until);
    if (newest) {
      charged.atMost(grant.left() > 0 ? claim.burst() - grant.left() : Long.MAX_VALUE);
    } else {
      charged.beyond(grant.permits() + debt);
    }
  }

  // A debt that was sent again before this answer came has been charged twice, or will be.
  private boolean resolvesDoubt(SentDebts sent) {
    boolean resolves = sent == inDoubt;
    inDoubt = resolves ? null : inDoubt;
    return resolves;
  }

  /** Permits that the store has granted this node and that may still count there. */
  public long grantedPermits(long now) {
    return charged.granted(now);
  }

  /** Returns when at most this many of those will count. */
  public long grantedDropsTo(long permits, long now) {
    return charged.grantedDropsTo(permits, now);
  }

  private void arrived(SentDebts sent) {
    inFlight = sent == inFlight ? null : inFlight;
  }

  /** Debts that the store hasn't confirmed yet. */
  public long unconfirmed() {
    return debts.total() + sum(inFlight) + sum(inDoubt);
  }

  private static long sum(@Nullable SentDebts sent) {
    return sent == null ? 0 : sent.total();
  }

  /** Borrows ahead of the store, if this node's share of the overshoot allows it. */
  public boolean borrow(BucketRequest request, long now) {
    if (borrowed == null && !allowance.isUntouched(bucket, now)) {
      return false;
    }
    long allowed = allowance.allowed(request, now);
    if (allowed < request.permits()) {
      return false;
    }
    borrowed = borrowed == null ? new BorrowedPermits(bucket.spec().windowMicros()) : borrowed;
    boolean borrows = borrowed.borrow(request.permits(), allowed, now);
    if (borrows) {
      owe(request, now);
    }
    return borrows;
  }

  /** Adds a debt, by the limits in force. */
  public void owe(BucketRequest debt, long now) {
    debts.add(debt.permits(), countsUntil(debt, now));
  }

  // A permit counts for a window; in a fixed window until that ends, if the end is known; in a
  // bucket with a refill until an empty one would be full. What is admitted when the window may
  // have ended already may belong to the next one.
  private long countsUntil(BucketRequest debt, long now) {
    long counts =
        DriftMargin.lengthen(bucket.spec().refillMicros(debt.burst(), debt.effectiveLimit()));
    long window = NodeClock.after(now, counts);
    return now < windowEndsFirst ? Math.min(window, windowEnd) : window;
  }

  /** Adds a debt; completed when the store has charged it. */
  public CompletionStage<Void> oweAndConfirm(BucketRequest debt, long now) {
    owe(debt, now);
    CompletableFuture<Void> confirmed = new CompletableFuture<>();
    waiting.add(confirmed);
    return confirmed;
  }

  /**
   * Notes when the current fixed window ends.
   *
   * @param sentAt before the store was asked
   * @param now after it answered; some time may have passed
   */
  public void noteWindowEnd(Grant grant, long sentAt, long now) {
    if (bucket.spec().algorithm() == Algorithm.FIXED_WINDOW) {
      long rest = RecoverableCharges.restOfSlot(bucket.spec(), grant);
      windowEndsFirst = NodeClock.after(sentAt, DriftMargin.shorten(rest));
      windowEnd = NodeClock.after(now, DriftMargin.lengthen(rest));
    }
  }

  /** Notes when the current window ends by this node's time of day, if no answer has said so. */
  public void expectWindowEnd(long rest, long now) {
    if (now >= windowEnd) {
      windowEnd = NodeClock.after(now, rest);
      windowEndsFirst = windowEnd - CLOCKS_APART;
    }
  }

  /** Cancels debts that aren't sent yet. */
  public void cancel(long permits) {
    debts.cancel(permits);
  }

  /** Drops debts that no longer count. */
  public void expire(long now) {
    if (now >= inDoubtUntil) {
      endDoubt();
    }
    debts.expire(now);
    if (lostCharges != null) {
      lostCharges.expire(now);
    }
  }

  /** Returns whether debts were sent whose answer is late but may still come. */
  public boolean isInDoubt() {
    return inDoubt != null;
  }

  /** Stops waiting for a late answer: the debts are sent again. */
  public void endDoubt() {
    SentDebts doubt = inDoubt;
    inDoubt = null;
    if (doubt != null) {
      debts.restore(doubt.debts());
    }
  }

  /**
   * Returns whether there is something to send, or a request waiting to hear that its debt no
   * longer counts.
   */
  public boolean owes() {
    return !debts.isEmpty() || hasLostCharges() || !waiting.isEmpty();
  }

  /** Permits that the next claim charges. */
  public long debt() {
    return debts.total() + lostDebt();
  }

  /** Permits of those that the store has charged before, and has lost. */
  public long lostDebt() {
    return lostCharges == null ? 0 : lostCharges.total();
  }

  public SentDebts send() {
    List<Debts.Debt> lost = lostCharges == null ? List.of() : lostCharges.take();
    List<CompletableFuture<Void>> awaiting = waiting.isEmpty() ? List.of() : waiting;
    SentDebts sent = new SentDebts(debts.take(), lost, losses, awaiting);
    if (!waiting.isEmpty()) { // it nearly always is
      waiting = new ArrayList<>(0);
    }
    inFlight = sent.debts().isEmpty() ? null : sent;
    return sent;
  }

  /**
   * Handles that the store didn't answer in time. The debts are sent again, but only once no late
   * answer is to be expected any more: otherwise a slow store would charge them twice.
   *
   * @param until until when the answer may still come
   */
  public void doubt(SentDebts sent, long until) {
    arrived(sent);
    if (isForgiven) {
      return;
    }
    restoreLostCharges(sent);
    endDoubt();
    if (!sent.debts().isEmpty()) {
      inDoubt = sent;
      inDoubtUntil = until;
    }
  }

  /** Has debts sent again that the store, as far as is known, hasn't charged. */
  public void restore(SentDebts sent) {
    arrived(sent);
    if (!isForgiven) {
      debts.restore(sent.debts());
      restoreLostCharges(sent);
    }
  }

  /**
   * Has debts sent again that the store has said it didn't charge; waiting requests go on waiting.
   */
  public void resend(SentDebts sent) {
    restore(sent);
    waiting.addAll(sent.waiting());
  }

  // After a further loss everything is reported anew. The data that the claim was sent to doesn't
  // show that: a batch that is filled while the node learns of the loss names the lost data.
  private void restoreLostCharges(SentDebts sent) {
    if (sent.losses() == losses && !sent.lostCharges().isEmpty()) {
      lostCharges = lostCharges == null ? new Debts(bucket.spec().windowMicros()) : lostCharges;
      lostCharges.restore(sent.lostCharges());
    }
  }

  public void clear() {
    endDoubt();
    expire(NodeClock.NEVER);
  }

  /** Forgets all debts, even those in flight: they aren't sent again if that fails. */
  public void forgive() {
    clear();
    isForgiven = true;
  }

  /** Returns the permits borrowed in the last window; null if there were none. */
  public @Nullable BorrowedPermits borrowed(long now) {
    return borrowed == null || borrowed.isOver(now) ? null : borrowed;
  }

  /** Remembers that permits were borrowed, for the next ledger of this bucket. */
  public void close() {
    if (borrowed != null) {
      allowance.remember(bucket, borrowed.at());
    }
  }
}
