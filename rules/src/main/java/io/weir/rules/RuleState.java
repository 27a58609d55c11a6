package io.weir.rules;

/** Says whether a rule is enforced. */
public enum RuleState {
  /** Checked when it is saved, without any effect. */
  DRAFT,
  /**
   * Evaluated in buckets of its own; what it would have refused is reported. Refuses no request,
   * and doesn't replace an enforced rule.
   */
  SHADOW,
  /** In force. */
  ENFORCED
}
