package io.weir.internal.http;

import java.util.Arrays;
import java.util.Optional;

/** The header fields in which callers are told of their limits ({@code weir.headers}). */
public enum HeaderDialect {
  /** {@code RateLimit-Policy} and {@code RateLimit}, as the IETF drafts them. */
  IETF("ietf"),
  /** {@code X-RateLimit-Limit}, {@code -Remaining} and {@code -Reset}, older and widely read. */
  X_RATELIMIT("x-ratelimit"),
  /** Both, the default. */
  BOTH("both"),
  /** No field but {@code Retry-After} on a refusal. */
  NONE("none");

  private final String text;

  HeaderDialect(String text) {
    this.text = text;
  }

  /**
   * The dialect's name in settings.
   *
   * @return in lower case
   */
  public String text() {
    return text;
  }

  /**
   * Finds a dialect by its name in settings.
   *
   * @param text the name, in whatever case
   * @return nothing if none has that name
   */
  public static Optional<HeaderDialect> named(String text) {
    return Arrays.stream(values()).filter(each -> each.text.equalsIgnoreCase(text)).findFirst();
  }

  boolean ietf() {
    return this == IETF || this == BOTH;
  }

  boolean xRateLimit() {
    return this == X_RATELIMIT || this == BOTH;
  }
}
