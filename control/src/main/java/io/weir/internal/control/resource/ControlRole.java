package io.weir.internal.control.resource;

/** Whom a resource method is for. */
public enum ControlRole {
  /** Who changes rules, users and switches, and may do all that {@link #CHECK} may. */
  ADMIN,
  /** Programs that have requests decided. */
  CHECK,
  /** Who is signed in, whoever it is. */
  USER
}
