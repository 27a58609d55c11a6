package io.weir.internal.http;

import io.weir.Policy;
import java.time.Duration;

/**
 * What the header fields say of a policy whatever it decides.
 *
 * <p>Immutable.
 *
 * @param window the policy's window
 * @param quota the permits per window that are in force
 * @param state what its {@code RateLimit} begins with: its name as a quoted string, no character of
 *     which would be escaped, up to what is left
 * @param policy its {@code RateLimit-Policy}
 * @param limit its {@code X-RateLimit-Limit}
 */
record PolicyFields(
    Duration window, long quota, String state, HeaderField policy, HeaderField limit) {
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /** Characters of {@code ;t=} and of a number of seconds that is usual. */
  private static final int ROOM_FOR_RESET = 12;

  static PolicyFields of(Policy policy, long quota) {
    Duration window = policy.window();
    String name = '"' + policy.name() + '"';
    String length = window.compareTo(SHORTEST) < 0 ? "" : ";w=" + Seconds.ceil(window);
    return new PolicyFields(
        window,
        quota,
        name + ";r=",
        policy(name + ";q=" + quota + length),
        new HeaderField("X-RateLimit-Limit", Long.toString(quota)));
  }

  static HeaderField policy(String value) {
    return new HeaderField("RateLimit-Policy", value);
  }

  boolean fits(Policy other, long inForce) {
    return quota == inForce && window.equals(other.window());
  }

  /** What is left, and in how many seconds it is more. */
  HeaderField state(String left, Duration reset) {
    StringBuilder text = new StringBuilder(state.length() + left.length() + ROOM_FOR_RESET);
    text.append(state).append(left).append(";t=").append(Seconds.ceil(reset));
    return new HeaderField("RateLimit", text.toString());
  }
}
