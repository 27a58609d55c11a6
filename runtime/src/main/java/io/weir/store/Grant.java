package io.weir.store;

import java.util.Objects;

/**
 * The store's answer to one claim.
 *
 * <p>Immutable. Made by {@link #refused} or a {@link #builder}.
 */
public final class Grant {
  private final long permits;
  private final long stamp;
  private final long life;
  private final long left;
  private final long retry;
  private final long reset;
  private final boolean far;
  private final long storeClock;

  private Grant(Builder parts) {
    this.permits = parts.permits;
    this.stamp = parts.stamp;
    this.life = parts.life;
    this.left = parts.left;
    this.retry = parts.retry;
    this.reset = parts.reset;
    this.far = parts.far;
    this.storeClock = parts.storeClock;
  }

  /**
   * Starts a grant of no permits, with nothing left and no time to wait.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Makes an answer without permits.
   *
   * @param left permits free in the store
   * @param retry microseconds until the permits claimed would be free by ageing alone
   * @param reset microseconds until more than {@code left} would be free by ageing alone
   * @return the grant
   */
  public static Grant refused(long left, long retry, long reset) {
    return builder().left(left).retry(retry).reset(reset).build();
  }

  /**
   * Makes the answer to a claim that names a window of the calendar which isn't running by the
   * store's clock: nothing of the claim was executed, and it has to be made again with the right
   * window.
   *
   * @param storeClockMicros the store's clock, microseconds since the epoch, 1 and more
   * @return the answer
   */
  public static Grant otherWindow(long storeClockMicros) {
    Builder answer = builder();
    answer.storeClock = storeClockMicros;
    return answer.build();
  }

  /**
   * Returns the number of permits granted.
   *
   * @return 0 and more
   */
  public long permits() {
    return permits;
  }

  /**
   * Returns the slot of time that the permits were charged to.
   *
   * @return a mark that only the store understands; but for a {@linkplain BucketSpec#strict()
   *     strict} bucket it is the time at which its life ends, by the store's clock
   */
  public long stamp() {
    return stamp;
  }

  /**
   * Returns the time for which permits that stay in a lease may be spent: from the moment at which
   * the charge took effect until the slot ends that was charged. Requests that the claim was sent
   * for spend theirs at that moment, however late the answer is.
   *
   * <p>Both are times of the store's clock. A store that executes the claim itself reads its clock
   * while it does. Where the node computes the new state, and the store only replaces the old one
   * by it, the time that the node computed with is older than the replacement; so the statement
   * that replaces the state has to answer the store's time too, and the life is the end of the slot
   * less that time. If none of it is left, the slot ended before anything was charged to it: the
   * store makes the claim anew.
   *
   * @return microseconds; more than 0 if permits were granted, or none of them are spent
   */
  public long life() {
    return life;
  }

  /**
   * Returns the permits free in the store after this claim, by the claim's own limit.
   *
   * @return permits, 0 and more
   */
  public long left() {
    return left;
  }

  /**
   * Returns the time until max(1, atLeast) permits would be free by ageing alone.
   *
   * @return microseconds; 0 if they are free now
   */
  public long retry() {
    return retry;
  }

  /**
   * Returns the time until more than {@link #left()} would be free by ageing alone.
   *
   * @return microseconds; 0 if the bucket is full
   */
  public long reset() {
    return reset;
  }

  /**
   * Returns whether this is a far lease: permits that live up to an eighth of the window, because
   * the bucket is far from its limit. The node keeps them until they end, and reports those that it
   * has spent in a {@link GiveBack}, so that they count from then on instead of from the end of
   * their life.
   *
   * @return true only if the claim asked for one by {@link Claim#far()}
   */
  public boolean isFar() {
    return far;
  }

  /**
   * Returns whether nothing was executed, because the claim named a window of the calendar that
   * isn't running by the store's clock.
   *
   * @return true only for {@link #otherWindow}
   */
  public boolean isOfOtherWindow() {
    return storeClock != 0;
  }

  /**
   * Returns the store's clock, if the claim named a window that isn't running.
   *
   * @return microseconds since the epoch; 0 in every other answer
   */
  public long storeClock() {
    return storeClock;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Grant that
        && permits == that.permits
        && stamp == that.stamp
        && life == that.life
        && left == that.left
        && retry == that.retry
        && reset == that.reset
        && far == that.far
        && storeClock == that.storeClock;
  }

  @Override
  public int hashCode() {
    return Objects.hash(permits, stamp, life, left, retry, reset, far, storeClock);
  }

  @Override
  public String toString() {
    if (isOfOtherWindow()) {
      return "nothing done, the claim names a window that isn't running at " + storeClock;
    }
    return permits
        + (far ? " granted in a far lease at " : " granted at ")
        + stamp
        + " for "
        + life
        + " µs, "
        + left
        + " left, retry after "
        + retry
        + " µs, reset after "
        + reset
        + " µs";
  }

  /**
   * Builds a {@link Grant}.
   *
   * <p>Confine to one thread.
   */
  public static final class Builder {
    private long permits;
    private long stamp;
    private long life;
    private long left;
    private long retry;
    private long reset;
    private boolean far;
    private long storeClock;

    private Builder() {}

    /**
     * Sets the permits granted.
     *
     * @param granted permits, 0 and more
     * @param slot the mark of the slot of time they were charged to
     * @param micros how long they may be spent, in microseconds
     * @return this
     */
    public Builder granted(long granted, long slot, long micros) {
      this.permits = granted;
      this.stamp = slot;
      this.life = micros;
      return this;
    }

    /**
     * Sets the permits free after the claim.
     *
     * @param free permits, 0 and more
     * @return this
     */
    public Builder left(long free) {
      this.left = free;
      return this;
    }

    /**
     * Sets how long until max(1, atLeast) permits would be free by ageing alone.
     *
     * @param micros microseconds; 0: they are now
     * @return this
     */
    public Builder retry(long micros) {
      this.retry = micros;
      return this;
    }

    /**
     * Sets how long until more would be free by ageing alone.
     *
     * @param micros microseconds; 0: the bucket is full
     * @return this
     */
    public Builder reset(long micros) {
      this.reset = micros;
      return this;
    }

    /**
     * Sets whether this is a far lease.
     *
     * @param lease true if it is one
     * @return this
     */
    public Builder far(boolean lease) {
      this.far = lease;
      return this;
    }

    /**
     * Makes the grant.
     *
     * @return the grant
     */
    public Grant build() {
      return new Grant(this);
    }
  }
}
