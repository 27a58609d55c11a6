package io.weir.rules.explanation;

import java.util.Optional;

/**
 * Describes a request to be explained, as in "what holds for alice at GET /api/posts?"
 *
 * @param method the HTTP method
 * @param endpoint the resource's template, the servlet's path or the name of a policy as {@code
 *     policy:NAME}
 * @param user the principal's name; empty if the caller isn't signed in
 * @param key what {@code weir.rules.caller} reads; empty if the request has none
 * @param tier the tier by the application's {@code TierResolver}; empty if it knows none
 * @param sentTier the tier that the caller itself sends, which counts if no other is known
 */
public record ExplainedRequest(
    String method,
    String endpoint,
    Optional<String> user,
    Optional<String> key,
    Optional<String> tier,
    Optional<String> sentTier) {
  /**
   * Describes a request whose caller sends no tier.
   *
   * @param method the HTTP method
   * @param endpoint the resource's template
   * @param user the principal's name
   * @param key what {@code weir.rules.caller} reads
   * @param tier the tier by the application's {@code TierResolver}
   */
  public ExplainedRequest(
      String method,
      String endpoint,
      Optional<String> user,
      Optional<String> key,
      Optional<String> tier) {
    this(method, endpoint, user, key, tier, Optional.empty());
  }

  /**
   * Describes a request of a signed-in user.
   *
   * @param method the HTTP method
   * @param endpoint the resource's template
   * @param user the principal's name
   * @return the request
   */
  public static ExplainedRequest of(String method, String endpoint, String user) {
    return new ExplainedRequest(
        method, endpoint, Optional.of(user), Optional.empty(), Optional.empty());
  }
}
