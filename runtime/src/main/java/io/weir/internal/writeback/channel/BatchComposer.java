package io.weir.internal.writeback.channel;

import org.jspecify.annotations.Nullable;

/**
 * Fills a batch with claims of the queued sources. While the breaker is open, sources learn that
 * the store can't be asked, and at most their debts are sent.
 *
 * <p>Confine to one thread at a time.
 */
final class BatchComposer {
  static final int MAX_CLAIMS = 512;

  private final ClaimQueue queue;
  private final PartitionBreaker breaker;
  private final EpochTracker epochs;
  private final SafeStoreListener listener;

  BatchComposer(
      ClaimQueue queue, PartitionBreaker breaker, EpochTracker epochs, SafeStoreListener listener) {
    this.queue = queue;
    this.breaker = breaker;
    this.epochs = epochs;
    this.listener = listener;
  }

  /**
   * Fills a batch.
   *
   * @param listens whether the store has answered, perhaps late, since the last batch
   */
  void compose(PartitionBatch batch, boolean listens, AfterUnlock after) {
    boolean onlyDebts =
        !breaker.isClosed() && listens && epochs.isKnown() && !epochs.isRecovering();
    ClaimSource next;
    while (batch.size() < MAX_CLAIMS && (next = queue.poll()) != null) {
      SentClaim claim = nextClaim(next, onlyDebts, batch.sentAt(), after);
      if (claim != null) {
        batch.add(claim);
      }
    }
  }

  private @Nullable SentClaim nextClaim(
      ClaimSource source, boolean onlyDebts, long now, AfterUnlock after) {
    if (onlyDebts || breaker.isClosed()) {
      try {
        boolean debts = onlyDebts || epochs.inQuarantine();
        return debts ? source.nextDebtClaim(now, after) : source.nextClaim(now, after);
      } catch (RuntimeException | Error mistake) {
        listener.failed(mistake);
      }
    }
    try {
      source.storeUnavailable(after);
    } catch (RuntimeException | Error mistake) {
      listener.failed(mistake);
    }
    return null;
  }
}
