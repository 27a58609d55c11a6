package io.weir.rules.explanation;

import java.util.Optional;

/**
 * A request to be explained, as a person asks: "what holds for alice at GET /api/posts?"
 *
 * @param method the HTTP method
 * @param endpoint the resource's template, the servlet's path or the name of a policy as {@code
 *     policy:NAME}
 * @param user the principal's name; nothing if nobody is signed in
 * @param key what {@code weir.rules.caller} reads; nothing if the request has none
 * @param tier what the application's {@code TierResolver} says; nothing if it says none
 * @param sentTier what whoever asks sends as the tier, which holds if nobody else knows one
 */
public record ExplainedRequest(
    String method,
    String endpoint,
    Optional<String> user,
    Optional<String> key,
    Optional<String> tier,
    Optional<String> sentTier) {
  /**
   * Of one of whom no tier is sent.
   *
   * @param method see the record
   * @param endpoint see the record
   * @param user see the record
   * @param key see the record
   * @param tier see the record
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
   * Of one who is signed in.
   *
   * @param method see the record
   * @param endpoint see the record
   * @param user see the record
   * @return the request
   */
  public static ExplainedRequest of(String method, String endpoint, String user) {
    return new ExplainedRequest(
        method, endpoint, Optional.of(user), Optional.empty(), Optional.empty());
  }
}
