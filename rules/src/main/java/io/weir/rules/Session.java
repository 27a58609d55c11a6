package io.weir.rules;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Somebody who is signed in to the service's pages.
 *
 * @param roles what it may do
 * @param userId whose account it is; nothing for who came with the token of a program
 * @param validUntil when it ends, exclusive
 */
public record Session(Set<String> roles, Optional<String> userId, Instant validUntil) {
  /**
   * Takes the roles as they are.
   *
   * @param roles see the record
   * @param userId see the record
   * @param validUntil see the record
   */
  public Session {
    roles = Set.copyOf(roles);
  }
}
