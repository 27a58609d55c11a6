package io.weir.testkit;

import io.weir.Decision;
import io.weir.Outcome;
import io.weir.Reason;
import java.time.Duration;
import java.util.Objects;

/**
 * Asserts about a {@link Decision}, fluently; every failure shows the whole decision.
 *
 * <pre>{@code
 * assertThat(limiter.tryAcquire(policy, key)).admitted().hasRemaining(9);
 * assertThat(limiter.tryAcquire(policy, key, 10)).refusedFor(Duration.ofSeconds(6));
 * }</pre>
 *
 * <p>Immutable.
 */
public final class DecisionAssert {
  private final Decision actual;

  private DecisionAssert(Decision actual) {
    this.actual = actual;
  }

  /**
   * Starts the assertions about a decision.
   *
   * @param actual the decision of the limiter
   * @return the assertions
   */
  public static DecisionAssert assertThat(Decision actual) {
    return new DecisionAssert(actual);
  }

  /**
   * Expects that the request is admitted, with any outcome.
   *
   * @return this
   */
  public DecisionAssert admitted() {
    return expect("admitted", true, actual.admitted());
  }

  /**
   * Expects that the request is refused.
   *
   * @return this
   */
  public DecisionAssert refused() {
    return hasOutcome(Outcome.REFUSED);
  }

  /**
   * Expects a refusal with an exact time to retry.
   *
   * @param time the exact time to wait
   * @return this
   */
  public DecisionAssert refusedFor(Duration time) {
    return refused().expect("retryAfter", time, actual.retryAfter());
  }

  /**
   * Expects a refusal for a reason.
   *
   * @param reason the reason
   * @return this
   */
  public DecisionAssert refusedBecause(Reason reason) {
    return refused().expect("reason", reason, actual.reason());
  }

  /**
   * Expects an outcome.
   *
   * @param outcome the outcome of the request
   * @return this
   */
  public DecisionAssert hasOutcome(Outcome outcome) {
    return expect("outcome", outcome, actual.outcome());
  }

  /**
   * Expects the permits left.
   *
   * @param permits the exact number
   * @return this
   */
  public DecisionAssert hasRemaining(long permits) {
    return expect("remaining", permits, actual.remaining());
  }

  /**
   * Expects the limit in force.
   *
   * @param permits per window
   * @return this
   */
  public DecisionAssert hasLimit(long permits) {
    return expect("limit", permits, actual.limit());
  }

  /**
   * Expects the time until more permits are left.
   *
   * @param time the exact time
   * @return this
   */
  public DecisionAssert resetsAfter(Duration time) {
    return expect("resetAfter", time, actual.resetAfter());
  }

  /**
   * Expects that one policy speaks for the decision.
   *
   * @param name the policy's name
   * @return this
   */
  public DecisionAssert decidedBy(String name) {
    return expect("policy", name, actual.policy().name());
  }

  /**
   * Expects that it was decided without the store.
   *
   * @return this
   */
  public DecisionAssert degraded() {
    return expect("degraded", true, actual.degraded());
  }

  /**
   * Expects that it was decided with the store.
   *
   * @return this
   */
  public DecisionAssert notDegraded() {
    return expect("degraded", false, actual.degraded());
  }

  private DecisionAssert expect(String what, Object expected, Object was) {
    if (!Objects.equals(expected, was)) {
      throw new AssertionError(
          "expected " + what + " " + expected + " but was " + was + ", in: " + actual);
    }
    return this;
  }
}
