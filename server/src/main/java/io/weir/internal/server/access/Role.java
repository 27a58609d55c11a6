package io.weir.internal.server.access;

import java.util.Locale;
import java.util.Optional;

/** What somebody who is signed in may do. */
public enum Role {
  /** Change rules, users and switches, and all that {@link #CHECK} may. */
  ADMIN("weir-admin"),
  /** Have requests decided. */
  CHECK("weir-check"),
  /** Read metrics. */
  METRICS("weir-metrics"),
  /** See what concerns oneself. */
  USER("user");

  private final String text;

  Role(String text) {
    this.text = text;
  }

  /**
   * The name in tokens and tables.
   *
   * @return {@code weir-admin}, say
   */
  public String text() {
    return text;
  }

  /**
   * Whether who has this role may do what another one opens.
   *
   * @param needed the role that is asked for
   * @return true for the same role, and for an administrator who wants to check
   */
  public boolean includes(Role needed) {
    return this == needed || this == ADMIN && needed == CHECK;
  }

  /**
   * The role of a name.
   *
   * @param text {@code weir-admin}, say; in any case
   * @return nothing if there is none of this name
   */
  public static Optional<Role> of(String text) {
    for (Role each : values()) {
      if (each.text.equals(text.toLowerCase(Locale.ROOT))) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }
}
