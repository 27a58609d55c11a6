package io.weir;

/** The outcomes of a decision. */
public enum Outcome {
  /** Within the limit. */
  ADMITTED,
  /** Admitted beyond the limit, within what a SOFT policy tolerates. */
  SOFT,
  /** Admitted beyond the limit, within what an ELASTIC policy allows at this load. */
  ELASTIC,
  /** It would have been refused, but the policy is in shadow mode. */
  SHADOW_REFUSED,
  /** Not admitted. */
  REFUSED;

  /**
   * Returns whether the request is admitted.
   *
   * @return false only for {@link #REFUSED}
   */
  public boolean admitted() {
    return this != REFUSED;
  }
}
