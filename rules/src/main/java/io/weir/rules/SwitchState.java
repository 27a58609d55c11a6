package io.weir.rules;

/** What a {@link PolicySwitch} makes of a policy until it ends. */
public enum SwitchState {
  /** The policy doesn't hold. */
  OFF,
  /** The policy decides and counts, and refuses nobody. */
  SHADOW
}
