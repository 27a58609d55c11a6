package io.weir.rules.tier;

/** Says whether rules are enforced for a user. */
public enum UserState {
  /** Rules are enforced. */
  ENFORCED,
  /** Rules count the user and report what they would have refused, but never refuse. */
  EVALUATION
}
