package io.weir;

/** What became of a request. */
public enum Outcome {
  /** Within the limit. */
  ADMITTED,
  /** Above the limit, within what a SOFT policy tolerates. */
  SOFT,
  /** Above the limit, within what an ELASTIC policy has to spare. */
  ELASTIC,
  /** It would have been refused, but the policy only watches. */
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
