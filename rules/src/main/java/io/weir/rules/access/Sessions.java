package io.weir.rules.access;

import io.weir.rules.problem.RulesUnavailableException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Opens, finds and ends the sessions of the decision service's pages. {@link #find} answers from
 * memory, as {@link AccessTokens#find} does; other methods read and write the database, and throw
 * {@link RulesUnavailableException} if it is unavailable and they don't say otherwise.
 *
 * <p>A token or subject has at most 20 sessions: if more are opened, the oldest end.
 *
 * <p>Safe for concurrent use.
 */
public interface Sessions {
  /**
   * Opens a session by an access token. The session ends with the token.
   *
   * @param session its roles and end
   * @param token the secret of an access token
   * @return the secret of the session, which can't be read again
   * @throws IllegalArgumentException if the token is unknown or has expired
   */
  String openByToken(Session session, String token);

  /**
   * Opens a session for a user that a proxy or identity provider has authenticated.
   *
   * @param session its roles and end
   * @param subject identifies the user; limits the number of sessions
   * @return the secret of the session, which can't be read again
   */
  String openBySubject(Session session, String subject);

  /**
   * Finds the session of a secret.
   *
   * @param secret any text that a browser sent
   * @return empty if it is unknown or has expired, or its token has
   */
  Optional<Session> find(String secret);

  /**
   * Finds the session of a secret, also if another node opened it a moment ago; see {@link
   * AccessTokens#findSoon}.
   *
   * @param secret any text that a browser sent
   * @return completes empty if it is unknown or has expired, or its token has
   */
  default CompletionStage<Optional<Session>> findSoon(String secret) {
    return CompletableFuture.completedFuture(find(secret));
  }

  /**
   * Ends a session; does nothing if it is unknown. If the database is unavailable, a session that
   * this node knows ends here at once, and on other nodes as soon as the database is available,
   * unless this node is restarted before.
   *
   * @param secret any text that a browser sent
   * @return false if it has ended on this node alone so far
   */
  boolean end(String secret);
}
