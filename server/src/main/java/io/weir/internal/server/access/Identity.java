package io.weir.internal.server.access;

import java.util.Optional;
import java.util.Set;

/**
 * The roles and the account of an authenticated caller. Immutable.
 *
 * @param userId the user whose account it is; empty for a token of a program
 */
public record Identity(Set<Role> roles, Optional<String> userId) {
  public Identity {
    roles = Set.copyOf(roles);
  }

  /** Returns whether one of its roles includes another role. */
  public boolean may(Role needed) {
    for (Role each : roles) {
      if (each.includes(needed)) {
        return true;
      }
    }
    return false;
  }
}
