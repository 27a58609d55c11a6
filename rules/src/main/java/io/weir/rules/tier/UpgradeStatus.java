package io.weir.rules.tier;

/** The status of a {@link TierUpgrade}. */
public enum UpgradeStatus {
  /** An administrator is to decide. */
  PENDING,
  /** The user has the tier. */
  APPROVED,
  /** An administrator has declined it. */
  DECLINED,
  /** The user has withdrawn it. */
  WITHDRAWN
}
