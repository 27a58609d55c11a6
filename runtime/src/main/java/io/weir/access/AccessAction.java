package io.weir.access;

/** Determines how requests of a caller in an access list are treated. */
public enum AccessAction {
  /** Answers them with 403. */
  DENY,
  /** Doesn't refuse them by what is decided after the caller is known. */
  ALLOW,
  /** Answers them with 429 until its end. Made by Weir itself, because of strikes. */
  BAN
}
