package io.weir.internal.server.access;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Finds out who is signed in by a bearer token, for all doors of the service. Answers at once, from
 * memory. Safe for concurrent use.
 */
@FunctionalInterface
public interface Authenticator {
  /**
   * Who bears a token.
   *
   * @param token as the client sent it: the secret of an access token, or a JWT
   * @return nothing if the token is unknown, revoked or expired
   */
  Optional<Identity> authenticate(String token);

  /**
   * The same also for a token that was made a moment ago. Never blocks.
   *
   * @param token as the client sent it
   * @return completes with nothing if the token is unknown, revoked or expired; by any thread
   */
  default CompletionStage<Optional<Identity>> authenticateSoon(String token) {
    return CompletableFuture.completedFuture(authenticate(token));
  }
}
