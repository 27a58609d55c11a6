package io.weir.internal.rules.quotas;

import io.weir.Decision;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/** How the quota of one user is counted in an application. Safe for concurrent use. */
public interface QuotaCounter {
  /**
   * What the rule gives.
   *
   * @return limit and rollover of who has none of its own
   */
  QuotaTerms terms();

  /**
   * How many permits the store has counted.
   *
   * @param period which period; also one that is over
   * @return nothing if the store can't be asked; never exceptionally
   */
  CompletionStage<OptionalLong> used(BillingPeriod period);

  /**
   * Takes permits by hand, and waits for the store.
   *
   * @param state what the user may use
   * @param used permits that it is known to have used
   * @param permits how many to take
   * @return how it was decided
   */
  Decision take(QuotaState state, long used, long permits);
}
