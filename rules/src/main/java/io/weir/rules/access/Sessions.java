package io.weir.rules.access;

import io.weir.rules.problem.RulesUnavailableException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Who is signed in to the service's pages. {@link #find} answers from memory, as {@link
 * AccessTokens#find} does; the others read and write the database, and throw {@link
 * RulesUnavailableException} where they can't.
 *
 * <p>Whoever signs in again and again has at most 20 sessions: the oldest end.
 *
 * <p>Safe for concurrent use.
 */
public interface Sessions {
  /**
   * Signs somebody in by an access token. The session ends with the token.
   *
   * @param session what it may do, and how long
   * @param token the secret of an access token
   * @return the secret of the session, which can't be read again
   * @throws IllegalArgumentException if there is no such token
   */
  String openByToken(Session session, String token);

  /**
   * Signs a user in whom somebody else vouches for.
   *
   * @param session what it may do, and how long
   * @param subject who it is, by which its sessions are counted
   * @return the secret of the session, which can't be read again
   */
  String openBySubject(Session session, String subject);

  /**
   * The session of a secret.
   *
   * @param secret what a browser sent; anything
   * @return nothing if it is unknown or over, or what it was made from is
   */
  Optional<Session> find(String secret);

  /**
   * The session of a secret, also if it was opened a moment ago on another node; see {@link
   * AccessTokens#findSoon}.
   *
   * @param secret what a browser sent; anything
   * @return completes with nothing if it is unknown or has ended, or what it was made from has
   */
  default CompletionStage<Optional<Session>> findSoon(String secret) {
    return CompletableFuture.completedFuture(find(secret));
  }

  /**
   * Signs out; nothing if there is no such session.
   *
   * @param secret what a browser sent; anything
   */
  void end(String secret);
}
