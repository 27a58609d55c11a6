package io.weir.internal.http;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads header fields in the way of npm's {@code ratelimit-header-parser} 0.1.0, which many
 * JavaScript clients use: {@code RateLimit} overrides all others and must have {@code limit=},
 * {@code remaining=} and {@code reset=}; else {@code RateLimit-Limit} and so on; else {@code
 * X-RateLimit-Limit} and so on. A reset above 1,000,000,000 is a time of day, another one seconds.
 *
 * @param limit permits per window
 * @param remaining permits left
 * @param reset when there are more, in seconds since the epoch
 */
record JavaScriptReader(long limit, long remaining, long reset) {
  private static final long EARLIEST_TIME = 1_000_000_000;

  /** Empty if one of the three is missing. */
  static Optional<JavaScriptReader> read(Map<String, String> fields, long nowSeconds) {
    if (fields.containsKey("RateLimit")) {
      String combined = fields.get("RateLimit");
      return of(
          part(combined, "limit"),
          part(combined, "remaining"),
          part(combined, "reset"),
          nowSeconds);
    }
    String prefix = fields.containsKey("RateLimit-Remaining") ? "RateLimit-" : "X-RateLimit-";
    return of(
        number(fields, prefix + "Limit"),
        number(fields, prefix + "Remaining"),
        number(fields, prefix + "Reset"),
        nowSeconds);
  }

  private static Optional<JavaScriptReader> of(
      OptionalLong limit, OptionalLong remaining, OptionalLong reset, long now) {
    if (limit.isEmpty() || remaining.isEmpty() || reset.isEmpty()) {
      return Optional.empty();
    }
    long told = reset.getAsLong();
    return Optional.of(
        new JavaScriptReader(
            limit.getAsLong(), remaining.getAsLong(), told > EARLIEST_TIME ? told : now + told));
  }

  private static OptionalLong part(String combined, String name) {
    Matcher found = Pattern.compile(name + "\\s*=\\s*(\\d+)").matcher(combined);
    return found.find() ? OptionalLong.of(Long.parseLong(found.group(1))) : OptionalLong.empty();
  }

  private static OptionalLong number(Map<String, String> fields, String name) {
    String value = fields.get(name);
    return value == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(value));
  }
}
