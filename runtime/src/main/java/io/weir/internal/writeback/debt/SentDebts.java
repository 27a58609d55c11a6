package io.weir.internal.writeback.debt;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/**
 * Holds the debts that one claim carries, and the requests that wait for them to be charged. Two of
 * these are never equal, even with the same debts: the ledger distinguishes claims by them.
 *
 * <p>Immutable.
 */
public final class SentDebts {
  private final List<Debts.Debt> debts;
  private final List<Debts.Debt> lostCharges;
  private final int losses;
  private final List<CompletableFuture<Void>> waiting;

  /**
   * Takes over debts from a ledger.
   *
   * @param losses the number of losses of data that the ledger knew of by then
   * @param waiting completed once each
   */
  SentDebts(
      List<Debts.Debt> debts,
      List<Debts.Debt> lostCharges,
      int losses,
      List<CompletableFuture<Void>> waiting) {
    this.debts = debts;
    this.lostCharges = lostCharges;
    this.losses = losses;
    this.waiting = waiting;
  }

  List<Debts.Debt> debts() {
    return debts;
  }

  List<Debts.Debt> lostCharges() {
    return lostCharges;
  }

  int losses() {
    return losses;
  }

  List<CompletableFuture<Void>> waiting() {
    return waiting;
  }

  /** Returns the permits owed, without the charges that the store has lost. */
  long total() {
    return Debts.sum(debts);
  }

  public boolean isAwaited() {
    return !waiting.isEmpty();
  }

  /**
   * Completes the waiting requests: the store has charged the debts. Runs callbacks; call it
   * without a lock.
   */
  public void confirm() {
    waiting.forEach(each -> each.complete(null));
  }

  /**
   * Fails the waiting requests: the store may or may not have charged the debts. Runs callbacks;
   * call it without a lock.
   */
  public void fail() {
    waiting.forEach(each -> each.completeExceptionally(new TimeoutException("not charged")));
  }
}
