package io.weir.internal.http;

import static io.weir.internal.http.DialectField.ofCaller;
import static io.weir.internal.http.DialectField.ofClosestPolicy;
import static io.weir.internal.http.DialectField.ofEachPolicy;
import static io.weir.internal.http.DialectField.ofRemaining;
import static io.weir.internal.http.DialectField.ofSeconds;

import io.weir.Policy;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The sets of header fields that show callers their limits: the values of {@code weir.headers}, in
 * lower case with {@code -} for {@code _}.
 *
 * <p>To add a dialect, add a constant: settings and error messages take their names from here.
 */
public enum HeaderDialect {
  /** {@code ietf}: {@code RateLimit-Policy} and {@code RateLimit} as in draft 11 of the IETF. */
  IETF(
      ofEachPolicy(
          "RateLimit-Policy",
          (policy, limit, window) -> quoted(policy) + ";q=" + limit + windowFromOneSecond(window)),
      ofCaller(
          "RateLimit",
          caller -> quota(caller.policy().name(), caller.remaining(), caller.resetSeconds()))),

  /**
   * {@code x-ratelimit}: {@code X-RateLimit-Limit}, {@code X-RateLimit-Remaining} and {@code
   * X-RateLimit-Reset} in seconds since the epoch, older and widely read.
   */
  X_RATELIMIT(
      ofClosestPolicy("X-RateLimit-Limit", (policy, limit, window) -> Long.toString(limit)),
      ofRemaining("X-RateLimit-Remaining"),
      ofSeconds("X-RateLimit-Reset", CallerQuota::resetEpochSeconds)),

  /** {@code x-ratelimit-seconds}: the same, but {@code X-RateLimit-Reset} in seconds from now. */
  X_RATELIMIT_SECONDS(
      ofClosestPolicy("X-RateLimit-Limit", (policy, limit, window) -> Long.toString(limit)),
      ofRemaining("X-RateLimit-Remaining"),
      ofSeconds("X-RateLimit-Reset", CallerQuota::resetSeconds)),

  /**
   * {@code draft-6}: {@code RateLimit-Policy}, {@code RateLimit-Limit}, {@code RateLimit-Remaining}
   * and {@code RateLimit-Reset} in seconds from now, as in draft 6 of the IETF; for the closest
   * policy only.
   */
  DRAFT_6(
      ofClosestPolicy("RateLimit-Policy", HeaderDialect::quotaAndWindow),
      ofClosestPolicy("RateLimit-Limit", (policy, limit, window) -> Long.toString(limit)),
      ofRemaining("RateLimit-Remaining"),
      ofSeconds("RateLimit-Reset", CallerQuota::resetSeconds)),

  /**
   * {@code draft-7}: {@code RateLimit-Policy}, and {@code RateLimit} with limit, remaining and
   * reset in one, as in draft 7 of the IETF; for the closest policy only.
   */
  DRAFT_7(
      ofClosestPolicy("RateLimit-Policy", HeaderDialect::quotaAndWindow),
      ofCaller(
          "RateLimit",
          caller ->
              "limit="
                  + caller.limit()
                  + ", remaining="
                  + caller.remaining()
                  + ", reset="
                  + caller.resetSeconds())),

  /** {@code both}, the default: the fields of {@link #IETF} and {@link #X_RATELIMIT}. */
  BOTH(IETF, X_RATELIMIT),

  /** {@code none}: only {@code Retry-After}, on refusals. */
  NONE(new DialectField[0]);

  /** The most characters of a quota beside its name, unless its reset is far away. */
  private static final int QUOTA_NUMBERS = 24;

  private static final Duration SECOND = Duration.ofSeconds(1);

  @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable list
  private final List<DialectField> fields;

  HeaderDialect(DialectField... fields) {
    this.fields = List.of(fields);
  }

  HeaderDialect(HeaderDialect one, HeaderDialect other) {
    this.fields = Stream.of(one, other).flatMap(each -> each.fields.stream()).toList();
  }

  /** Returns its fields in the order in which they are sent. */
  List<DialectField> fields() {
    return fields;
  }

  /** Quotes a policy's name, in which no character needs escaping. */
  private static String quoted(Policy policy) {
    return '"' + policy.name() + '"';
  }

  /** Writes the quota of draft 11 into a buffer that fits, since each request has one. */
  @SuppressWarnings("UnnecessaryStringBuilder") // + would let its buffer grow
  private static String quota(String policy, long remaining, long seconds) {
    return new StringBuilder(policy.length() + QUOTA_NUMBERS)
        .append('"')
        .append(policy)
        .append("\";r=")
        .append(remaining)
        .append(";t=")
        .append(seconds)
        .toString();
  }

  /** Omits windows shorter than a second, which draft 11 can't express. */
  private static String windowFromOneSecond(Duration window) {
    return window.compareTo(SECOND) < 0 ? "" : ";w=" + WholeSeconds.roundUp(window);
  }

  /** Shows windows shorter than a second as one second: the older drafts require a window. */
  private static String quotaAndWindow(Policy policy, long limit, Duration window) {
    return limit + ";w=" + WholeSeconds.roundUp(window);
  }
}
