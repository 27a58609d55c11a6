package io.weir.internal.writeback;

import io.weir.annotation.Algorithm;
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
 * What this node owes to one bucket, who wants to know when it is paid, and what it would owe if
 * the store lost its data.
 *
 * <p>Needs the entry's lock.
 */
final class BucketLedger {
  private final BucketId bucket;
  private final OvershootAllowance overdraft;
  private final Debts debts;
  private final ChargedPermits granted;
  private @Nullable ChargedPermits debtsCharged;
  private @Nullable SentDebts underWay;
  private @Nullable SentDebts inDoubt;
  private long inDoubtUntil;
  private List<CompletableFuture<Void>> creditors = new ArrayList<>(0);
  private @Nullable BorrowedPermits loan;
  private @Nullable Debts again;
  private long slotEnd = Long.MIN_VALUE;

  BucketLedger(
      BucketId bucket,
      OvershootAllowance overdraft,
      @Nullable BorrowedPermits loan,
      ChargedPermits granted) {
    this.bucket = bucket;
    this.loan = loan;
    this.overdraft = overdraft;
    this.debts = new Debts(bucket.spec().windowMicros());
    this.granted = granted;
  }

  ChargedPermits granted() {
    return granted;
  }

  /** The store has lost what it charged: it is to be told again, whatever was to be told before. */
  void recount(long burst, long now) {
    endDoubt(); // what the other data would answer matters no more
    again = new Debts(bucket.spec().windowMicros());
    again.add(Math.min(granted.total(now), burst), granted.until());
  }

  /** Whether the store is to be told again what it had charged. */
  boolean recounts() {
    return again != null && !again.isEmpty();
  }

  /**
   * Notes what the store has charged and taken back.
   *
   * @param news whether no later claim of the bucket has been answered yet
   */
  void charged(BucketClaim flight, Grant grant, boolean late, boolean news, long now) {
    arrived(flight.bill());
    Claim claim = flight.claim();
    long lasts = ChargedPermits.counts(bucket.spec(), claim.effectiveLimit(), claim.burst(), grant);
    long until = NodeClock.after(now, ClockDrift.surely(lasts));
    claim.giveBacks().forEach(each -> granted.subtract(each.permits()));
    long debt = late && !settlesDoubt(flight.bill()) ? 0 : Debts.sum(flight.bill().debts());
    granted.add(grant.permits() + debt, now, until);
    if (debt > 0) {
      debtsCharged =
          debtsCharged == null ? new ChargedPermits(bucket.spec().algorithm()) : debtsCharged;
      debtsCharged.add(debt, now, until);
    }
    if (news) {
      granted.atMost(grant.left() > 0 ? claim.burst() - grant.left() : Long.MAX_VALUE);
    } else {
      granted.beyond(grant.permits());
    }
  }

  // A debt that was told again before this answer came has been charged twice, or will be.
  @SuppressWarnings("ReferenceEquality") // another bill may be over as much
  private boolean settlesDoubt(SentDebts bill) {
    boolean settles = bill == inDoubt;
    inDoubt = settles ? null : inDoubt;
    return settles;
  }

  /** Permits that the store has granted this node and that may still count there. */
  long grantedPermits(long now) {
    return granted.without(debtsCharged, now);
  }

  /** When no more than so many of those will count. */
  long grantedDropsTo(long permits, long now) {
    return granted.dropsTo(permits, now);
  }

  @SuppressWarnings("ReferenceEquality") // as above
  private void arrived(SentDebts bill) {
    underWay = bill == underWay ? null : underWay;
  }

  /** Debts that the store hasn't answered yet. */
  long untold() {
    return debts.total() + sum(underWay) + sum(inDoubt);
  }

  private static long sum(@Nullable SentDebts bill) {
    return bill == null ? 0 : Debts.sum(bill.debts());
  }

  /** Admits ahead of the store, if this node's share of the overdraft allows it. */
  boolean borrow(BucketRequest wish, long now) {
    if (loan == null && !overdraft.isUntouched(bucket, now)) {
      return false;
    }
    long allowed = overdraft.allowed(wish, now);
    if (allowed < wish.permits()) {
      return false;
    }
    loan = loan == null ? new BorrowedPermits(bucket.spec().windowMicros()) : loan;
    boolean borrowed = loan.borrow(wish.permits(), allowed, now);
    if (borrowed) {
      owe(wish.permits(), now);
    }
    return borrowed;
  }

  void owe(long permits, long now) {
    debts.add(permits, countsUntil(now));
  }

  // A permit counts for a window; in a fixed window only until that ends, as far as it is known.
  private long countsUntil(long now) {
    long window = NodeClock.after(now, ClockDrift.surely(bucket.spec().windowMicros()));
    return now < slotEnd ? Math.min(window, slotEnd) : window;
  }

  /** The same, for somebody who wants to know whether it is charged. */
  CompletionStage<Void> charge(long permits, long now) {
    owe(permits, now);
    CompletableFuture<Void> paid = new CompletableFuture<>();
    creditors.add(paid);
    return paid;
  }

  /** Notes until when a fixed window surely lasts no longer. */
  void heard(Grant grant, long now) {
    if (bucket.spec().algorithm() == Algorithm.FIXED_WINDOW) {
      slotEnd = NodeClock.after(now, ClockDrift.surely(grant.life()));
    }
  }

  void forgive(long permits) {
    debts.forgive(permits);
  }

  void expire(long now) {
    if (now >= inDoubtUntil) {
      endDoubt();
    }
    debts.expire(now);
    if (again != null) {
      again.expire(now);
    }
  }

  /** Whether some debts were told and may yet be answered, so that they aren't told again yet. */
  boolean isInDoubt() {
    return inDoubt != null;
  }

  /** Has debts told again whose answer is late. */
  void endDoubt() {
    SentDebts doubt = inDoubt;
    inDoubt = null;
    if (doubt != null) {
      debts.restore(doubt.debts());
    }
  }

  /** Whether there is something to tell: debts, or to whoever waits that they count no more. */
  boolean owes() {
    return !debts.isEmpty() || recounts() || !creditors.isEmpty();
  }

  long debt() {
    return debts.total() + (again == null ? 0 : again.total());
  }

  /** All debts, to be told to the store. */
  SentDebts bill() {
    List<Debts.Debt> told = again == null ? List.of() : again.take();
    SentDebts bill = new SentDebts(debts.take(), told, creditors.isEmpty() ? List.of() : creditors);
    if (!creditors.isEmpty()) { // as they nearly always are
      creditors = new ArrayList<>(0);
    }
    underWay = bill.debts().isEmpty() ? null : bill;
    return bill;
  }

  /**
   * The store didn't answer in time: it will be told again, but not before a late answer can be
   * expected no more, or else it would charge twice what it charged slowly.
   *
   * @param until until when the answer may still come
   */
  void doubtful(SentDebts bill, long until) {
    arrived(bill);
    unpaid(new SentDebts(List.of(), bill.again(), List.of()), true);
    endDoubt();
    if (!bill.debts().isEmpty()) {
      inDoubt = bill;
      inDoubtUntil = until;
    }
  }

  /**
   * The store didn't answer: it will be told again. Nobody is kept waiting for that.
   *
   * @param stands whether its data is still that which was told; if not, what it had charged before
   *     is recounted anyhow
   */
  void unpaid(SentDebts bill, boolean stands) {
    arrived(bill);
    debts.restore(bill.debts());
    if (stands && !bill.again().isEmpty()) {
      again = again == null ? new Debts(bucket.spec().windowMicros()) : again;
      again.restore(bill.again());
    }
  }

  void clear() {
    endDoubt();
    expire(NodeClock.NEVER);
  }

  /** What was borrowed and still bounds what may be. */
  @Nullable BorrowedPermits loan(long now) {
    return loan == null || loan.isOver(now) ? null : loan;
  }

  /** Leaves a mark for whoever counts this bucket next. */
  void close() {
    if (loan != null) {
      overdraft.remember(bucket, loan.at());
    }
  }
}
