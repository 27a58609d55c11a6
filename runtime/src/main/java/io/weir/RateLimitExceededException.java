package io.weir;

/**
 * A refusal, as a woven method throws it. Both web adapters turn it into the response that a
 * refused request gets.
 */
public class RateLimitExceededException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Decision decision;

  /**
   * Refuses.
   *
   * @param decision the refusal
   */
  public RateLimitExceededException(Decision decision) {
    super(
        "refused by "
            + decision.policy().name()
            + ", retry after "
            + decision.retryAfter().toMillis()
            + " ms");
    this.decision = decision;
  }

  /**
   * What was decided, and when to come back.
   *
   * @return the refusal
   */
  public Decision decision() {
    return decision;
  }
}
