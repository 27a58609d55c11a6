package io.weir;

import io.weir.internal.value.DurationText;

/**
 * Thrown by a woven method instead of running, if a policy refuses the call. The web adapters turn
 * it into the response of a refused request.
 */
public class RateLimitExceededException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Decision decision;

  /**
   * Makes the exception of a refusal.
   *
   * @param decision the refusal
   */
  public RateLimitExceededException(Decision decision) {
    super(
        "refused by "
            + decision.policy().name()
            + (decision.reason() == Reason.DENIED
                ? ", which denies this caller"
                : decision.neverAdmitted()
                    ? ", which never admits a request of this cost"
                    : ", retry after " + DurationText.inWords(decision.retryAfter())));
    this.decision = decision;
  }

  /**
   * Returns the refusal, with the time to wait.
   *
   * @return the refusal
   */
  public Decision decision() {
    return decision;
  }
}
