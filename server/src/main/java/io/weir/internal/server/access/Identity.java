package io.weir.internal.server.access;

import java.util.Optional;
import java.util.Set;

/**
 * Who is signed in. Immutable.
 *
 * @param roles what it may do
 * @param userId whose account it is; nothing for a token of a program
 */
public record Identity(Set<Role> roles, Optional<String> userId) {
  /**
   * Takes the roles as they are.
   *
   * @param roles see the record
   * @param userId see the record
   */
  public Identity {
    roles = Set.copyOf(roles);
  }

  /**
   * Whether it may do what a role opens.
   *
   * @param needed the role
   * @return true if any of its roles includes that
   */
  public boolean may(Role needed) {
    for (Role each : roles) {
      if (each.includes(needed)) {
        return true;
      }
    }
    return false;
  }
}
