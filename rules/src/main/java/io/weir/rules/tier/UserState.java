package io.weir.rules.tier;

/** How far rules hold for one user. */
public enum UserState {
  /** As for everybody. */
  ENFORCED,
  /** Rules count this user, tell what they would have refused, and never refuse. */
  EVALUATION
}
