package io.weir.store;

/**
 * Takes tokens from a bucket that is refilled in whole steps. A take of more tokens than there are
 * is refused, and empties the bucket.
 *
 * <p>An unused bucket holds {@code max} tokens, and its steps begin with the first take. Each step
 * adds {@code refill} tokens, of which those beyond {@code max} are lost. The time of the last step
 * advances by whole steps, even if the bucket is full; at an earlier time nothing is added.
 *
 * <p>The bucket may be dropped once enough time has passed since the last take for it to be full
 * again: by the store's clock, whatever times requests name.
 *
 * <p>Immutable.
 */
public final class StepRefillRequest implements ExactRequest<StepRefillReply> {
  /** The most that any number may be, 2<sup>52</sup>: scripts count by doubles. */
  public static final long MAX = 1L << 52;

  private final ExactBucketId bucket;
  private final long max;
  private final long refill;
  private final long refillMillis;
  private final long take;
  private final long at;
  private final boolean strict;

  private StepRefillRequest(Builder from) {
    this.max = from.max;
    this.refill = from.refill;
    this.refillMillis = from.refillMillis;
    this.take = from.take;
    this.at = from.at;
    this.strict = from.strict;
    this.bucket =
        new ExactBucketId(ExactBucketId.Kind.STEP_REFILL, from.name, max, refill, refillMillis);
  }

  /**
   * Begins a request, which by default takes nothing and refills all at once.
   *
   * @param name the name of the bucket; a name of more than 128 bytes is replaced by its SHA-256,
   *     and a shorter one isn't copied, so it must not be changed
   * @param max the most tokens that the bucket holds, 1 to {@link #MAX}
   * @param refillMillis the length of a step in milliseconds, 1 to {@link #MAX}
   * @return a builder
   */
  public static Builder builder(byte[] name, long max, long refillMillis) {
    return new Builder(name, max, refillMillis);
  }

  @Override
  public ExactBucketId bucket() {
    return bucket;
  }

  /**
   * Returns the most tokens that the bucket holds.
   *
   * @return 1 and more
   */
  public long max() {
    return max;
  }

  /**
   * Returns the tokens that a step adds.
   *
   * @return 1 and more
   */
  public long refill() {
    return refill;
  }

  /**
   * Returns the length of a step.
   *
   * @return milliseconds, 1 and more
   */
  public long refillMillis() {
    return refillMillis;
  }

  /**
   * Returns the tokens to take.
   *
   * @return 0 and more; 0 changes nothing
   */
  public long take() {
    return take;
  }

  /**
   * Returns the time of the request, for the bucket.
   *
   * @return milliseconds since the epoch; -1 for the store's own time
   */
  public long at() {
    return at;
  }

  /**
   * Returns whether the steps begin anew whenever the bucket is left empty, by a take that was
   * granted or refused: then nothing is added until its callers have paused for a step.
   *
   * @return true if so
   */
  public boolean strict() {
    return strict;
  }

  /** Builds a request. Confine to one thread. */
  public static final class Builder {
    private final byte[] name;
    private final long max;
    private final long refillMillis;
    private long refill;
    private long take;
    private long at = -1;
    private boolean strict;

    private Builder(byte[] name, long max, long refillMillis) {
      this.name = name;
      this.max = inRange("max", max, 1);
      this.refillMillis = inRange("refillMillis", refillMillis, 1);
      this.refill = max;
    }

    private static long inRange(String what, long number, long least) {
      if (number < least || number > MAX) {
        throw new IllegalArgumentException(
            what + " must be from " + least + " to " + MAX + ", not " + number);
      }
      return number;
    }

    /**
     * Sets how many tokens a step adds; the maximum by default.
     *
     * @param tokens 1 to {@link #MAX}
     * @return this
     */
    public Builder refill(long tokens) {
      this.refill = inRange("refill", tokens, 1);
      return this;
    }

    /**
     * Sets how many tokens to take; none by default.
     *
     * @param tokens 0 to {@link #MAX}
     * @return this
     */
    public Builder take(long tokens) {
      this.take = inRange("take", tokens, 0);
      return this;
    }

    /**
     * Sets the time of the request; the store's own by default.
     *
     * @param millis since the epoch, 0 to {@link #MAX}
     * @return this
     */
    public Builder at(long millis) {
      this.at = inRange("at", millis, 0);
      return this;
    }

    /**
     * Has the steps begin anew whenever the bucket is left empty.
     *
     * @param isStrict true to do so
     * @return this
     */
    public Builder strict(boolean isStrict) {
      this.strict = isStrict;
      return this;
    }

    /**
     * Makes the request.
     *
     * @return the request
     */
    public StepRefillRequest build() {
      return new StepRefillRequest(this);
    }
  }
}
