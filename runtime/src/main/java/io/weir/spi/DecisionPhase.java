package io.weir.spi;

/** When the policies of a request decide: as early as their key is known. */
public enum DecisionPhase {
  /** Before anybody is authenticated: all policies that need no user. */
  BEFORE_AUTHENTICATION,
  /** After it: the policies by user. */
  AFTER_AUTHENTICATION
}
