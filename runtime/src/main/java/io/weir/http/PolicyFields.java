package io.weir.http;

import io.weir.Policy;
import java.time.Duration;

/**
 * What the header fields say of a policy whatever it decides.
 *
 * <p>Immutable.
 *
 * @param window the policy's window
 * @param quota the permits per window that are in force
 * @param name the policy's name as a quoted string; no character of it would be escaped
 * @param policy its {@code RateLimit-Policy}
 * @param limit its {@code X-RateLimit-Limit}
 */
record PolicyFields(
    Duration window, long quota, String name, HeaderField policy, HeaderField limit) {
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  static PolicyFields of(Policy policy, long quota) {
    Duration window = policy.window();
    String name = '"' + policy.name() + '"';
    String length = window.compareTo(SHORTEST) < 0 ? "" : ";w=" + Seconds.ceil(window);
    return new PolicyFields(
        window,
        quota,
        name,
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
    return new HeaderField("RateLimit", name + ";r=" + left + ";t=" + Seconds.ceil(reset));
  }
}
