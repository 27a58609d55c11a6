package io.weir;

/** What became of a request. */
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
   * Whether the request may go on.
   *
   * @return false only for {@link #REFUSED}
   */
  public boolean admitted() {
    return this != REFUSED;
  }
}
