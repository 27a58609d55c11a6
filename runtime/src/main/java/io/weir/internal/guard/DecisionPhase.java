package io.weir.internal.guard;

/** When a policy decides: as early as its key is known. */
public enum DecisionPhase {
  /** Before anybody is authenticated: all policies that need no user. */
  BEFORE_AUTHENTICATION,
  /** After it: the policies by user. */
  AFTER_AUTHENTICATION
}
