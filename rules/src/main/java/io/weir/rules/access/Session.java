package io.weir.rules.access;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Describes a person who is signed in to the decision service's pages.
 *
 * @param roles the roles of the person
 * @param userId the user of the account; empty after a sign-in with the token of a program
 * @param validUntil when it ends, exclusive
 * @param tokenName the name of the token that opened it; empty for a subject, and before it is
 *     opened
 */
public record Session(
    Set<String> roles, Optional<String> userId, Instant validUntil, Optional<String> tokenName) {
  /**
   * Copies the roles.
   *
   * @param roles the roles of the person
   * @param userId the user of the account
   * @param validUntil when it ends
   * @param tokenName the name of the token that opened it
   */
  public Session {
    roles = Set.copyOf(roles);
  }

  /**
   * Describes a session to be opened.
   *
   * @param roles the roles of the person
   * @param userId the user of the account
   * @param validUntil when it ends
   */
  public Session(Set<String> roles, Optional<String> userId, Instant validUntil) {
    this(roles, userId, validUntil, Optional.empty());
  }

  /**
   * Returns the session as opened by a token.
   *
   * @param name the token's name
   * @return a copy
   */
  public Session byToken(String name) {
    return new Session(roles, userId, validUntil, Optional.of(name));
  }
}
