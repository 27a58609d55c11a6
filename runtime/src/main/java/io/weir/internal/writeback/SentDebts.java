package io.weir.internal.writeback;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/**
 * Debts that a claim carries, and who wants to know what becomes of them.
 *
 * <p>Immutable.
 *
 * @param debts what is owed
 * @param again what the store had charged before it lost its data
 * @param creditors told once
 */
record SentDebts(
    List<Debts.Debt> debts, List<Debts.Debt> again, List<CompletableFuture<Void>> creditors) {

  /** The store has charged it. */
  void paid(AfterUnlock after) {
    creditors.forEach(each -> after.add(() -> each.complete(null)));
  }

  /** The store may or may not have charged it. */
  void unpaid(AfterUnlock after) {
    creditors.forEach(
        each -> after.add(() -> each.completeExceptionally(new TimeoutException("not charged"))));
  }
}
