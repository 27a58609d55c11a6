package io.weir.spi;

/**
 * Records a decision on a span. It never receives the caller.
 *
 * <p>Safe for concurrent use: the decision may become known in another thread, or after the span
 * has ended.
 */
@FunctionalInterface
public interface DecisionSpan {
  /** The attribute with the name of the policy that decided. */
  String POLICY = "weir.policy";

  /** The attribute with the outcome. */
  String OUTCOME = "weir.outcome";

  /** The attribute with the milliseconds for which the decision waited for the store. */
  String STORE_WAIT = "weir.store.wait_ms";

  /**
   * Sets the attributes. A later decision under the same span replaces them.
   *
   * @param policy the name of the policy that decided
   * @param outcome admitted, soft, elastic, refused or shadow-refused
   * @param storeWaitMillis 0 if the store wasn't asked
   */
  void decided(String policy, String outcome, double storeWaitMillis);
}
