package io.weir.internal.rules.quotas;

import io.weir.Decision;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/** Counts the quota of one user in an application. Safe for concurrent use. */
public interface QuotaCounter {
  QuotaTerms terms();

  /**
   * Returns the permits that the store has counted.
   *
   * @param period the period; it may have ended
   * @return completes empty if the store is unavailable; never exceptionally
   */
  CompletionStage<OptionalLong> used(BillingPeriod period);

  /**
   * Takes permits through the API, and waits for the store.
   *
   * @param state the permits that the user may use
   * @param used the permits that are known to be used
   */
  Decision take(QuotaState state, long used, long permits);
}
