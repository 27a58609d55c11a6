package io.weir.internal.control.decide.request;

import io.weir.internal.control.resource.Described;
import io.weir.rules.Rule;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request that somebody else serves, as it was described to us. Nothing is checked yet, see
 * {@link DescribedRequest}.
 *
 * @param userId the principal's name
 * @param apiKey what the expression of {@code weir.rules.caller} would read
 * @param ip the caller's address
 * @param endpoint the path, or {@code policy:NAME}
 * @param method the HTTP method
 * @param tier the caller's tier, where nobody else knows one
 * @param cost permits, 1 to 1,000,000,000; replaces every other cost
 * @param load how busy the protected system is, 0 to 1
 * @param attributes what key expressions read, by the expression: {@code header:X-Tenant}
 */
public record CheckRequest(
    @Described("The name of who is signed in") @Nullable String userId,
    @Described("The key that weir.rules.caller would read") @Nullable String apiKey,
    @Described("The caller's address") @Nullable String ip,
    @Described("The path, or policy:NAME") @Nullable String endpoint,
    @Described("The HTTP method; without one, rules for certain methods don't hold")
        @Nullable String method,
    @Described("The tier, where nobody else knows one") @Nullable String tier,
    @Described("Permits, 1 to 1000000000; replaces every other cost") @Nullable Long cost,
    @Described("How busy the protected system is, 0 to 1") @Nullable Double load,
    @Described("What key expressions read: {\"header:X-Tenant\": \"acme\"}")
        @Nullable Map<String, String> attributes) {
  /** The endpoint of a pattern: it matches itself, and no path that somebody calls is needed. */
  public static String endpoint(String pattern) {
    return pattern.equals(Rule.EVERYBODY) ? "/*" : pattern;
  }

  /**
   * Asks what holds for a caller under a pattern.
   *
   * @param method empty: no certain one
   */
  public static CheckRequest ofPattern(
      @Nullable String userId,
      @Nullable String apiKey,
      @Nullable String ip,
      String pattern,
      String method) {
    return new CheckRequest(
        userId,
        apiKey,
        ip,
        endpoint(pattern),
        method.isEmpty() ? null : method,
        null,
        null,
        null,
        null);
  }
}
