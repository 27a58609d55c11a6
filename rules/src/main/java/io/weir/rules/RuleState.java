package io.weir.rules;

/** How far a rule holds. */
public enum RuleState {
  /** Checked when it is saved, without any effect. */
  DRAFT,
  /**
   * Decided, and counted in buckets of its own; what it would have refused is reported. Refuses
   * nobody, and takes no place of an enforced rule.
   */
  SHADOW,
  /** In force. */
  ENFORCED
}
