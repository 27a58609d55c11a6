package io.weir.rules.access;

import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RulesUnavailableException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The bearer tokens of the service.
 *
 * <p>{@link #find} answers from memory and never waits or reads the database. What is made or
 * revoked on any node, or by SQL, holds on every node within three seconds. While the database is
 * away, the tokens that were read last hold.
 *
 * <p>All others read and write the database in the thread of the caller, and throw {@link
 * RulesUnavailableException} where they can't. Safe for concurrent use.
 */
public interface AccessTokens {
  /**
   * Makes a token.
   *
   * @param name what it is for, 1 to 200 characters
   * @param role what it may do, 1 to 50 characters
   * @param userId whose account it opens: neither {@code *} nor beginning with {@code ip:} or
   *     {@code sha256:}; nothing for a program
   * @param validUntil when it ends; nothing: never
   * @param author who makes it, for the history
   * @return the token and its secret
   * @throws InvalidRuleException if a text doesn't fit
   */
  NewAccessToken create(
      String name,
      String role,
      Optional<String> userId,
      Optional<Instant> validUntil,
      String author);

  /**
   * Makes the first token of a database. Of several nodes that start on one empty database, one
   * makes it.
   *
   * @param name what it is for, 1 to 200 characters
   * @param role what it may do, 1 to 50 characters
   * @param author who makes it, for the history
   * @return nothing if there is a token, or ever was one
   */
  Optional<NewAccessToken> createFirst(String name, String role, String author);

  /**
   * Takes a secret that was made elsewhere.
   *
   * @param name what it is for, 1 to 200 characters
   * @param role what it may do, 1 to 50 characters
   * @param secret 32 to 512 characters without white space
   * @param author who brings it, for the history
   * @return false if it was known already; one that was revoked stays so
   * @throws IllegalArgumentException if the secret is too short or too long, or has white space
   */
  boolean adopt(String name, String role, String secret, String author);

  /**
   * All tokens, also those that have ended.
   *
   * @return the oldest first
   */
  List<AccessToken> all();

  /**
   * Ends a token, and the sessions that were made from it.
   *
   * @param id the token's
   * @param author who revokes it, for the history
   * @return false if there is none, or it has ended already
   */
  boolean revoke(String id, String author);

  /**
   * The token of a secret.
   *
   * @param secret what a client sent; anything
   * @return nothing if it is unknown, revoked or over
   */
  Optional<AccessToken> find(String secret);

  /**
   * The token of a secret, also if it was made a moment ago by another process. Where an unknown
   * secret looks like one of Weir's, all tokens are read ahead of time: one reading serves all that
   * wait, and at most five begin within a second, whatever is asked.
   *
   * @param secret what a client sent; anything
   * @return completes with nothing if it is unknown, revoked or expired; at once or by another
   *     thread, within {@code weir.rules.timeout}, and never exceptionally
   */
  default CompletionStage<Optional<AccessToken>> findSoon(String secret) {
    return CompletableFuture.completedFuture(find(secret));
  }

  /**
   * Whether the tokens have been read at least once. Until then {@link #find} finds none.
   *
   * @return false while the database hasn't been reached since the start
   */
  boolean areRead();
}
