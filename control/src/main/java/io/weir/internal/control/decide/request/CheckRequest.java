package io.weir.internal.control.decide.request;

import io.weir.internal.control.resource.Described;
import io.weir.rules.Rule;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The description of a request that another program serves. {@link DescribedRequest} checks it. */
public record CheckRequest(
    @Described("The name of the signed-in user") @Nullable String userId,
    @Described("The key that weir.rules.caller and weir.access.key would read from the request")
        @Nullable String apiKey,
    @Described("The caller's address") @Nullable String ip,
    @Described("The path, or policy:NAME") @Nullable String endpoint,
    @Described("The HTTP method; without it, rules for certain methods don't apply")
        @Nullable String method,
    @Described("The tier, if Weir doesn't know the caller's tier") @Nullable String tier,
    @Described("Permits, 1 to 1000000000; replaces any other cost") @Nullable Long cost,
    @Described("The load of the protected system, 0 to 1") @Nullable Double load,
    @Described(
            "The values of key expressions, as in {\"header:X-Tenant\": \"acme\"}; those of a body"
                + " as in {\"form:user\": \"alice\"} or {\"json:/user/email\": \"alice\"}")
        @Nullable Map<String, String> attributes) {
  /** Returns this request with a cost, 1 to 1,000,000,000 permits. */
  public CheckRequest withCost(long permits) {
    return new CheckRequest(userId, apiKey, ip, endpoint, method, tier, permits, load, attributes);
  }

  /** Returns an endpoint that a pattern matches: the pattern itself. */
  public static String endpoint(String pattern) {
    return pattern.equals(Rule.EVERYBODY) ? "/*" : pattern;
  }

  /**
   * Describes a request of a caller that a pattern matches.
   *
   * @param method empty for no certain method
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
