package io.weir.rules.tier;


/** What has become of a {@link TierUpgrade}. */
public enum UpgradeStatus {
  /** Nobody has decided yet. */
  PENDING,
  /** The user has the tier. */
  APPROVED,
  /** An administrator has said no. */
  DECLINED,
  /** The user has taken it back. */
  WITHDRAWN
}
