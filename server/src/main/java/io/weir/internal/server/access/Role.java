package io.weir.internal.server.access;

import java.util.Optional;

/** The roles of callers. */
public enum Role {
  /** Changes rules, users and switches, and includes {@link #VIEW} and {@link #CHECK}. */
  ADMIN("weir-admin"),
  /** Sees all that administrators see, and changes nothing. */
  VIEW("weir-view"),
  /** Has requests decided. */
  CHECK("weir-check"),
  /** Reads metrics. */
  METRICS("weir-metrics"),
  /** Sees their own account. */
  USER("user");

  private final String text;

  Role(String text) {
    this.text = text;
  }

  /** Returns the name in tokens and tables, such as {@code weir-admin}. */
  public String text() {
    return text;
  }

  public boolean includes(Role needed) {
    return this == needed || this == ADMIN && (needed == VIEW || needed == CHECK);
  }

  /** Finds a role by its name in lower case, as it is documented: {@code weir-admin}, say. */
  public static Optional<Role> of(String text) {
    for (Role each : values()) {
      if (each.text.equals(text)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }
}
