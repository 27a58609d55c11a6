package io.weir.rules;

/** The state of a policy under a {@link PolicySwitch}. */
public enum SwitchState {
  /** The policy doesn't hold. */
  OFF,
  /** The policy decides and counts, but refuses no request. */
  SHADOW
}
