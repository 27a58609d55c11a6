package io.weir.rules.access;

import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RulesUnavailableException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Creates, finds and revokes the access tokens of the decision service.
 *
 * <p>{@link #find} answers from memory, and never waits or reads the database. A token that is
 * created or revoked on any node, or by SQL, is so on every node within three seconds. While the
 * database is unavailable, the tokens that were read last stay valid.
 *
 * <p>All other methods read and write the database in the calling thread, and throw {@link
 * RulesUnavailableException} if it is unavailable. Safe for concurrent use.
 */
public interface AccessTokens {
  /**
   * Creates a token.
   *
   * @param name its purpose, 1 to 200 characters
   * @param role the role of its holder, 1 to 50 characters
   * @param userId the user whose account it opens: neither {@code *} nor beginning with {@code ip:}
   *     or {@code sha256:}; empty for a program
   * @param validUntil when it ends; empty if never
   * @param author the author, for the history
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
   * Creates the first token of a database. If several nodes start on an empty database, only one
   * creates it.
   *
   * @param name its purpose, 1 to 200 characters
   * @param role the role of its holder, 1 to 50 characters
   * @param author the author, for the history
   * @return empty if there is a token, or ever was one
   */
  Optional<NewAccessToken> createFirst(String name, String role, String author);

  /**
   * Adds a token with a secret that was made elsewhere.
   *
   * @param name its purpose, 1 to 200 characters
   * @param role the role of its holder, 1 to 50 characters
   * @param secret 32 to 512 characters without white space
   * @param author the author, for the history
   * @return false if it was known already; a revoked one stays revoked
   * @throws IllegalArgumentException if the secret is too short or too long, or has white space
   */
  boolean adopt(String name, String role, String secret, String author);

  /**
   * Returns all tokens, also those that have ended.
   *
   * @return the oldest first
   */
  List<AccessToken> all();

  /**
   * Revokes a token, and ends the sessions that were opened by it.
   *
   * @param id the token's id
   * @param author the author, for the history
   * @return false if there is none, or it has ended already
   */
  boolean revoke(String id, String author);

  /**
   * Finds the token of a secret.
   *
   * @param secret any text that a client sent
   * @return empty if it is unknown, revoked or expired
   */
  Optional<AccessToken> find(String secret);

  /**
   * Finds the token of a secret, also if another process created it a moment ago. If an unknown
   * secret looks like one of Weir's, all tokens are read ahead of time: one reading serves all
   * waiting clients, and at most five begin within a second.
   *
   * @param secret any text that a client sent
   * @return completes empty if it is unknown, revoked or expired; at once or by another thread,
   *     within {@code weir.rules.timeout}, and never exceptionally
   */
  default CompletionStage<Optional<AccessToken>> findSoon(String secret) {
    return CompletableFuture.completedFuture(find(secret));
  }

  /**
   * Returns whether the tokens have been read at least once. Until then {@link #find} finds none.
   *
   * @return false while the database hasn't been reached since the start
   */
  boolean areRead();
}
