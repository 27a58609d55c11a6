package io.weir.rules;

/** How far a rule holds. */
public enum RuleState {
  /** Checked when it is saved, without any effect. */
  DRAFT,
  /** Decided and counted, and told what it would have refused; refuses nobody. */
  SHADOW,
  /** In force. */
  ENFORCED
}
