package io.weir.internal.writeback.debt;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/**
 * The debts that one claim carries, and who waits for them to be charged. Two of these are never
 * the same, even if they carry as much: the ledger tells claims apart by them.
 *
 * <p>Immutable.
 */
public final class SentDebts {
  private final List<Debts.Debt> debts;
  private final List<Debts.Debt> lostCharges;
  private final int losses;
  private final List<CompletableFuture<Void>> waiting;

  /**
   * Debts that were taken out of a ledger.
   *
   * @param debts what is owed
   * @param lostCharges what the store had charged before it lost its data
   * @param losses how many losses of data the ledger had been told of by then
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

  /** How much of it is owed by this node, without what the store had lost. */
  long total() {
    return Debts.sum(debts);
  }

  /** Whether somebody is to be told what becomes of them. */
  public boolean isAwaited() {
    return !waiting.isEmpty();
  }

  /** The store has charged them. Runs callbacks: call it without a lock. */
  public void confirm() {
    waiting.forEach(each -> each.complete(null));
  }

  /** The store may or may not have charged them. Runs callbacks: call it without a lock. */
  public void fail() {
    waiting.forEach(each -> each.completeExceptionally(new TimeoutException("not charged")));
  }
}
