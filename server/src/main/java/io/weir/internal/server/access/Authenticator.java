package io.weir.internal.server.access;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Authenticates bearer tokens, for all listeners. Answers at once, from memory. Safe for concurrent
 * use.
 */
@FunctionalInterface
public interface Authenticator {
  /**
   * Authenticates a token.
   *
   * @param token the token that the client sent: the secret of an access token, or a JWT
   * @return empty if the token is unknown, revoked or expired
   */
  Optional<Identity> authenticate(String token);

  /**
   * Returns whether a token that {@link #authenticate} doesn't find may be valid all the same,
   * since the tokens haven't been read since the start. Must be called before it is looked for.
   *
   * @return false once all have been read
   */
  default boolean mayBeUnread(String token) {
    return false;
  }

  /**
   * Authenticates a token that may have been created a moment ago. Never blocks.
   *
   * @return completes in any thread; with empty if the token is unknown, revoked or expired
   */
  default CompletionStage<Optional<Identity>> authenticateSoon(String token) {
    return CompletableFuture.completedFuture(authenticate(token));
  }
}
