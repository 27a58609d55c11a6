package io.weir.internal.http;

import static io.weir.internal.http.DialectField.ofCaller;
import static io.weir.internal.http.DialectField.ofClosestPolicy;
import static io.weir.internal.http.DialectField.ofCount;
import static io.weir.internal.http.DialectField.ofEachPolicy;
import static io.weir.internal.http.DialectField.ofSeconds;

import io.weir.Policy;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The header fields in which callers are told of their limits: the values of {@code weir.headers},
 * in lower case with {@code -} for {@code _}.
 *
 * <p>Everything about a dialect is here: its fields, and its name in settings, which error messages
 * list too. To add a dialect, add a constant.
 */
public enum HeaderDialect {
  /**
   * {@code ietf}: {@code RateLimit-Policy} and {@code RateLimit} as draft 11 of the IETF has them.
   */
  IETF(
      ofEachPolicy(
          "RateLimit-Policy",
          (policy, limit, window) -> quoted(policy) + ";q=" + limit + windowFromOneSecond(window)),
      ofCaller(
          "RateLimit",
          caller ->
              '"'
                  + caller.policy().name()
                  + "\";r="
                  + caller.remaining()
                  + ";t="
                  + caller.resetSeconds())),

  /**
   * {@code x-ratelimit}: {@code X-RateLimit-Limit}, {@code X-RateLimit-Remaining} and {@code
   * X-RateLimit-Reset} in seconds since the epoch, older and widely read.
   */
  X_RATELIMIT(
      ofClosestPolicy("X-RateLimit-Limit", (policy, limit, window) -> Long.toString(limit)),
      ofCount("X-RateLimit-Remaining", CallerQuota::remaining),
      ofSeconds("X-RateLimit-Reset", CallerQuota::resetEpochSeconds)),

  /**
   * {@code draft-6}: {@code RateLimit-Policy}, {@code RateLimit-Limit}, {@code RateLimit-Remaining}
   * and {@code RateLimit-Reset} in seconds from now, as draft 6 of the IETF had them; of the
   * closest policy only.
   */
  DRAFT_6(
      ofClosestPolicy("RateLimit-Policy", HeaderDialect::quotaAndWindow),
      ofClosestPolicy("RateLimit-Limit", (policy, limit, window) -> Long.toString(limit)),
      ofCount("RateLimit-Remaining", CallerQuota::remaining),
      ofSeconds("RateLimit-Reset", CallerQuota::resetSeconds)),

  /**
   * {@code draft-7}: {@code RateLimit-Policy}, and {@code RateLimit} with limit, remaining and
   * reset in one, as draft 7 of the IETF had them; of the closest policy only.
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

  /** {@code both}, the default: the fields of {@link #IETF} and of {@link #X_RATELIMIT}. */
  BOTH(IETF, X_RATELIMIT),

  /** {@code none}: no field but {@code Retry-After} on a refusal. */
  NONE(new DialectField[0]);

  private static final Duration SECOND = Duration.ofSeconds(1);

  @SuppressWarnings("ImmutableEnumChecker") // no list that can be changed
  private final List<DialectField> fields;

  HeaderDialect(DialectField... fields) {
    this.fields = List.of(fields);
  }

  HeaderDialect(HeaderDialect one, HeaderDialect other) {
    this.fields = Stream.of(one, other).flatMap(each -> each.fields.stream()).toList();
  }

  /** Its fields in the order in which they are sent. */
  List<DialectField> fields() {
    return fields;
  }

  /** No character of a policy's name needs escaping. */
  private static String quoted(Policy policy) {
    return '"' + policy.name() + '"';
  }

  /** Draft 11 has no windows below a second, so a shorter one is left out. */
  private static String windowFromOneSecond(Duration window) {
    return window.compareTo(SECOND) < 0 ? "" : ";w=" + WholeSeconds.ceil(window);
  }

  /** The older drafts require a window, so a shorter one is shown as a second. */
  private static String quotaAndWindow(Policy policy, long limit, Duration window) {
    return limit + ";w=" + WholeSeconds.ceil(window);
  }
}
