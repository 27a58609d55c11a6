package io.weir.internal.control.resource;

/** A role that a resource method may require. */
public enum ControlRole {
  /**
   * Administrators, who change rules, users and switches. Includes {@link #VIEW} and {@link
   * #CHECK}.
   */
  ADMIN,
  /** Viewers, who see all that administrators see, and change nothing. */
  VIEW,
  CHECK,
  /** Signed-in users. */
  USER,
  /** All callers that the application has signed in, whatever their roles. */
  SIGNED_IN,
  /** Everybody, signed in or not. Only for what holds no data. */
  ANYONE
}
