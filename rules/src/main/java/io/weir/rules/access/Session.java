package io.weir.rules.access;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Somebody who is signed in to the service's pages.
 *
 * @param roles what it may do
 * @param userId whose account it is; nothing for who came with the token of a program
 * @param validUntil when it ends, exclusive
 * @param tokenName the name of the token that it was opened by; nothing for a subject, and where it
 *     is yet to be opened
 */
public record Session(
    Set<String> roles, Optional<String> userId, Instant validUntil, Optional<String> tokenName) {
  /**
   * Takes the roles as they are.
   *
   * @param roles see the record
   * @param userId see the record
   * @param validUntil see the record
   * @param tokenName see the record
   */
  public Session {
    roles = Set.copyOf(roles);
  }

  /**
   * A session to be opened.
   *
   * @param roles see the record
   * @param userId see the record
   * @param validUntil see the record
   */
  public Session(Set<String> roles, Optional<String> userId, Instant validUntil) {
    this(roles, userId, validUntil, Optional.empty());
  }

  /**
   * The same, opened by a token.
   *
   * @param name the token's name
   * @return another session
   */
  public Session byToken(String name) {
    return new Session(roles, userId, validUntil, Optional.of(name));
  }
}
