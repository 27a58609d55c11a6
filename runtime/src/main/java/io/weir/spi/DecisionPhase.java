package io.weir.spi;

/** The phases in which the policies of a request decide: as soon as their key is known. */
public enum DecisionPhase {
  /** Before authentication: the policies that need no user. */
  BEFORE_AUTHENTICATION,
  /** After authentication: the policies by user. */
  AFTER_AUTHENTICATION
}
