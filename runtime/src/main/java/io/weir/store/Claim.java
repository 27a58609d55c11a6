package io.weir.store;

import java.util.ArrayList;
import java.util.List;

/**
 * The request of a node to the store for one bucket: give back, pay debts and take permits, in one
 * step.
 *
 * <p>The store first credits the {@link #giveBacks()} and charges the {@link #debt()}; if it has
 * then counted less than {@link #usedAtLeast()}, it counts that from now on. Then it grants as much
 * of {@link #needed()} as is free, or nothing if that is less than {@link #atLeast()}; and of
 * {@link #extra()} (only if {@code needed} was met in full) at most an eighth of what is then free.
 * A claim that needs nothing peeks: its {@code atLeast} only says how many permits the {@code
 * retry} of the answer is about.
 *
 * <p><b>Far leases</b> are for infrequent callers. If {@link #far()} is more than 0 and {@code
 * needed} was met, the store may grant some of those instead of {@code extra} while the bucket is
 * far from its limit. All that it grants then lives up to an eighth of the window.
 *
 * <p><b>Windows of the calendar</b> depend on time zone data, which not every store has. So a claim
 * of such a bucket names the window that the node takes to be running, from {@link #windowBegin()}
 * to {@link #windowEnd()}. While the store's clock is in the window that the bucket keeps, the
 * claim counts there, whatever it names. Once that has ended, or if there is none, a claim opens
 * the window that it names if that contains the store's clock. Any other claim does nothing at all,
 * debts and give-backs included, and is answered by {@link Grant#otherWindow}. A claim that names
 * no window is for a store that knows the calendar itself, by {@link BucketSpec#calendar()}. For a
 * {@linkplain CalendarWindow#isPeriod() period} the claim names the time for which it is kept;
 * {@code retry} and {@code reset} of the grant still refer to the period's end, which is {@link
 * CalendarWindow#kept()} earlier; once that has passed, they are a second.
 *
 * <p>Immutable. Made by the static methods, or by a {@link #builder}.
 */
public final class Claim {
  private final BucketId bucket;
  private final long needed;
  private final long atLeast;
  private final long extra;
  private final long far;
  private final List<GiveBack> giveBacks;
  private final Debt debt;
  private final long refusedAt;
  private final long usedAtLeast;
  private final long clearBefore;
  private final long effectiveLimit;
  private final long burst;
  private final long windowBegin;
  private final long windowEnd;

  private Claim(Builder parts) {
    this.bucket = parts.bucket;
    this.needed = parts.needed;
    this.atLeast = parts.atLeast;
    this.extra = parts.extra;
    this.far = parts.far;
    this.giveBacks = List.copyOf(parts.giveBacks);
    this.debt = Debt.of(parts.debt, parts.lostDebt, parts.debtUntil);
    this.refusedAt = parts.refusedAt;
    this.usedAtLeast = parts.usedAtLeast;
    this.clearBefore = parts.clearBefore;
    this.effectiveLimit = parts.effectiveLimit;
    this.burst = parts.burst;
    this.windowBegin = parts.windowBegin;
    this.windowEnd = parts.windowEnd;
  }

  /**
   * Starts a claim that takes nothing yet.
   *
   * @param bucket the bucket
   * @param effectiveLimit permits per window in force at this node: the rate of a bucket algorithm,
   *     which is the refill of one that has it; 1 and more
   * @param burst permits at once in force: the effective limit for window algorithms, the depth of
   *     the bucket for the others; 1 and more
   * @return a builder
   */
  public static Builder builder(BucketId bucket, long effectiveLimit, long burst) {
    return new Builder(bucket, effectiveLimit, burst);
  }

  /**
   * Makes a claim for one request: all of its permits or none, and nothing for a lease.
   *
   * @param bucket the bucket
   * @param permits 0 to take nothing
   * @param effectiveLimit permits per window in force
   * @param burst permits at once in force
   * @return the claim
   */
  public static Claim of(BucketId bucket, long permits, long effectiveLimit, long burst) {
    return builder(bucket, effectiveLimit, burst).needed(permits).atLeast(permits).build();
  }

  /**
   * Makes a claim that takes nothing and asks how much is left, and when this many permits would be
   * free.
   *
   * @param bucket the bucket
   * @param permits the permits that the answer's {@code retry} is about
   * @param effectiveLimit permits per window in force
   * @param burst permits at once in force
   * @return the claim
   */
  public static Claim peek(BucketId bucket, long permits, long effectiveLimit, long burst) {
    return builder(bucket, effectiveLimit, burst).atLeast(permits).build();
  }

  /**
   * Returns the bucket that the claim is about.
   *
   * @return the bucket
   */
  public BucketId bucket() {
    return bucket;
  }

  /**
   * Permits that requests are waiting for.
   *
   * @return 0 to take nothing
   */
  public long needed() {
    return needed;
  }

  /**
   * Returns the fewest permits that are of use.
   *
   * @return 0 up to {@link #needed()}; any number if nothing is needed
   */
  public long atLeast() {
    return atLeast;
  }

  /**
   * Permits for a lease, beyond those that are needed.
   *
   * @return 0 and more
   */
  public long extra() {
    return extra;
  }

  /**
   * Permits for a far lease, beyond those that are needed.
   *
   * @return 0 and more; 0 unless the store {@link LeasingStore#grantsFarLeases()}
   */
  public long far() {
    return far;
  }

  /**
   * Returns the permits that are given back.
   *
   * @return unused permits of earlier grants, and for far leases also the spent ones; unmodifiable
   */
  public List<GiveBack> giveBacks() {
    return giveBacks;
  }

  /**
   * Permits that were spent without a grant and are charged even if they aren't free.
   *
   * @return permits, 0 and more
   */
  public long debt() {
    return debt.permits;
  }

  /**
   * Returns how much of the debt is told again after the store has lost its data. It was granted
   * before, so it is no new use. Stores needn't know.
   *
   * @return permits, 0 up to {@link #debt()}
   */
  public long lostDebt() {
    return debt.lost;
  }

  /**
   * Returns the time from which the store ignores the debt, and executes the rest of the claim as
   * if there were none: a window that begins then isn't charged with what was spent before.
   *
   * @return microseconds since the epoch by the store's clock; 0 if the debt is charged whenever it
   *     comes
   */
  public long debtUntil() {
    return debt.until;
  }

  /**
   * Returns the claim as it is to be executed at a time. For stores that don't leave that to {@link
   * BucketArithmetic}.
   *
   * @param clockMicros microseconds since the epoch by the store's clock
   * @return this claim, or one without a debt if that {@linkplain #debtUntil() is ignored} by then
   */
  public Claim at(long clockMicros) {
    return debt.until == 0 || clockMicros < debt.until
        ? this
        : toBuilder(effectiveLimit, burst).debt(0).lostDebt(0).debtUntil(0).build();
  }

  /**
   * Returns when the node last refused a request of a {@linkplain BucketSpec#strict() strict}
   * bucket without asking the store: the next refill comes a whole window after that, unless it
   * comes later anyway. It may be reported repeatedly. The store itself notes the refusals that it
   * makes.
   *
   * @return microseconds since the epoch by the store's clock, too early rather than too late; a
   *     node derives it from a grant, which was made at {@code stamp − life}; 0 if it refused none
   */
  public long refusedAt() {
    return refusedAt;
  }

  /**
   * Permits known from elsewhere to have been used in the window. If the store has counted less,
   * after crediting and charging, it counts this many from then on, before it grants. So a store
   * that has lost its data is right again with the first claim. It may be reported repeatedly. In a
   * peek it matters only for the answer; the store may forget it.
   *
   * @return permits, 0 and more; 0 unless the bucket counts in a {@linkplain
   *     CalendarWindow#isPeriod() period}
   */
  public long usedAtLeast() {
    return usedAtLeast;
  }

  /**
   * Returns the stamp of a request that has succeeded, in a bucket that a success {@linkplain
   * BucketSpec#clears() clears}: the store credits all failures that were reported to it before it
   * granted that request's permits. Of several the latest clears what all do. It may be reported
   * repeatedly.
   *
   * @return a stamp, 1 and more; 0 if there is none to report
   */
  public long clearBefore() {
    return clearBefore;
  }

  /**
   * Permits per window in force at this node: the rate of a bucket algorithm. {@linkplain
   * BucketSpec#hasRefill() With a refill}, those that come back at once with each whole window.
   *
   * @return 1 and more
   */
  public long effectiveLimit() {
    return effectiveLimit;
  }

  /**
   * Permits at once in force.
   *
   * @return the effective limit for window algorithms, the depth of the bucket for the others
   */
  public long burst() {
    return burst;
  }

  /**
   * Returns when the window of the calendar began that the node takes to be running.
   *
   * @return microseconds since the epoch, 0 and more; meaningless unless there is a {@link
   *     #windowEnd()}
   */
  public long windowBegin() {
    return windowBegin;
  }

  /**
   * Returns when the window of the calendar ends that the node takes to be running.
   *
   * @return microseconds since the epoch; 0 if the claim names no window, so that the store has to
   *     know the calendar itself
   */
  public long windowEnd() {
    return windowEnd;
  }

  /**
   * Copies the claim with another window.
   *
   * @param begin see {@link #windowBegin()}
   * @param end see {@link #windowEnd()}
   * @return a claim that is otherwise equal
   * @throws IllegalArgumentException if the begin is negative or not before the end
   */
  public Claim inWindow(long begin, long end) {
    return toBuilder(effectiveLimit, burst).window(begin, end).build();
  }

  /**
   * Starts a copy under other limits.
   *
   * @param effectiveLimit see {@link #effectiveLimit()}
   * @param burst see {@link #burst()}
   * @return a builder of a claim that is otherwise equal
   */
  public Builder toBuilder(long effectiveLimit, long burst) {
    Builder copy = new Builder(bucket, effectiveLimit, burst);
    copy.needed = needed;
    copy.atLeast = atLeast;
    copy.extra = extra;
    copy.far = far;
    copy.giveBacks = giveBacks;
    copy.debt = debt.permits;
    copy.lostDebt = debt.lost;
    copy.debtUntil = debt.until;
    copy.refusedAt = refusedAt;
    copy.usedAtLeast = usedAtLeast;
    copy.clearBefore = clearBefore;
    copy.windowBegin = windowBegin;
    copy.windowEnd = windowEnd;
    return copy;
  }

  private static void checkWindow(BucketId bucket, long begin, long end) {
    if (begin < 0 || end <= begin && end != 0) {
      throw new IllegalArgumentException(
          "a window must end after it begins, not " + begin + " to " + end + " of " + bucket);
    }
  }

  /**
   * Returns whether the claim only asks and changes nothing.
   *
   * @return true if it takes, owes, gives back and clears nothing, and reports no refusal
   */
  public boolean peeks() {
    return needed == 0
        && extra == 0
        && far == 0
        && debt.permits == 0
        && refusedAt == 0
        && clearBefore == 0
        && giveBacks.isEmpty();
  }

  /** Contains the bucket's policy and the amounts, but not the key. */
  @Override
  public String toString() {
    return "claim of " + bucket + ": needed " + needed + ", debt " + debt() + ", " + giveBacks;
  }

  /** Holds a debt apart, to keep claims small: hardly any has one. */
  private record Debt(long permits, long lost, long until) {
    private static final Debt NONE = new Debt(0, 0, 0);

    static Debt of(long permits, long lost, long until) {
      return permits == 0 && lost == 0 && until == 0 ? NONE : new Debt(permits, lost, until);
    }
  }

  /**
   * Builds a {@link Claim}.
   *
   * <p>Confine to one thread.
   */
  public static final class Builder {
    private final BucketId bucket;
    private final long effectiveLimit;
    private final long burst;
    private long needed;
    private long atLeast;
    private long extra;
    private long far;
    private List<GiveBack> giveBacks = List.of();
    private long debt;
    private long lostDebt;
    private long debtUntil;
    private long refusedAt;
    private long usedAtLeast;
    private long clearBefore;
    private long windowBegin;
    private long windowEnd;

    private Builder(BucketId bucket, long effectiveLimit, long burst) {
      this.bucket = bucket;
      this.effectiveLimit = effectiveLimit;
      this.burst = burst;
    }

    /**
     * Sets how many permits requests are waiting for.
     *
     * @param permits 0 and more
     * @return this
     */
    public Builder needed(long permits) {
      this.needed = permits;
      return this;
    }

    /**
     * Sets the fewest permits that are of use.
     *
     * @param permits 0 up to what is needed; any number if nothing is needed
     * @return this
     */
    public Builder atLeast(long permits) {
      this.atLeast = permits;
      return this;
    }

    /**
     * Sets how many permits are claimed for a lease, beyond those needed.
     *
     * @param permits 0 and more
     * @return this
     */
    public Builder extra(long permits) {
      this.extra = permits;
      return this;
    }

    /**
     * Sets how many permits are claimed for a far lease, beyond those needed.
     *
     * @param permits 0 and more
     * @return this
     */
    public Builder far(long permits) {
      this.far = permits;
      return this;
    }

    /**
     * Adds unused permits of an earlier grant.
     *
     * @param unused the permits
     * @return this
     */
    public Builder giveBack(GiveBack unused) {
      giveBacks = new ArrayList<>(giveBacks);
      giveBacks.add(unused);
      return this;
    }

    /**
     * Sets all unused permits of earlier grants.
     *
     * @param unused the permits, which replace any added before
     * @return this
     */
    public Builder giveBacks(List<GiveBack> unused) {
      this.giveBacks = unused;
      return this;
    }

    /**
     * Sets the permits that were spent without a grant.
     *
     * @param permits 0 and more
     * @return this
     */
    public Builder debt(long permits) {
      this.debt = permits;
      return this;
    }

    /**
     * Sets how much of the debt is told again after the store has lost its data.
     *
     * @param permits 0 up to the debt
     * @return this
     */
    public Builder lostDebt(long permits) {
      this.lostDebt = permits;
      return this;
    }

    /**
     * Sets the time from which the store ignores the debt.
     *
     * @param micros since the epoch by the store's clock; 0, the default, if it never does
     * @return this
     */
    public Builder debtUntil(long micros) {
      this.debtUntil = micros;
      return this;
    }

    /**
     * Sets when the node last refused a request of a strict bucket without asking the store.
     *
     * @param micros since the epoch by the store's clock, too early rather than too late; 0 if it
     *     refused none
     * @return this
     */
    public Builder refusedAt(long micros) {
      this.refusedAt = micros;
      return this;
    }

    /**
     * Sets the stamp of a request that has succeeded.
     *
     * @param stamp 0 if there is none to report; more only if the bucket {@linkplain
     *     BucketSpec#clears() is cleared}
     * @return this
     */
    public Builder clearBefore(long stamp) {
      this.clearBefore = stamp;
      return this;
    }

    /**
     * Sets the permits known from elsewhere to have been used in the window.
     *
     * @param permits 0 and more; more than 0 only if the bucket counts in a {@linkplain
     *     CalendarWindow#isPeriod() period}
     * @return this
     */
    public Builder usedAtLeast(long permits) {
      this.usedAtLeast = permits;
      return this;
    }

    /**
     * Sets the window of the calendar that the node takes to be running.
     *
     * @param begin microseconds since the epoch, 0 and more
     * @param end microseconds since the epoch, after the begin
     * @return this
     */
    public Builder window(long begin, long end) {
      this.windowBegin = begin;
      this.windowEnd = end;
      return this;
    }

    /**
     * Makes the claim.
     *
     * @return the claim
     * @throws IllegalArgumentException if an amount is negative, effective limit or burst is less
     *     than 1, {@code atLeast} is more than {@code needed}, {@code lostDebt} more than {@code
     *     debt}, a window doesn't end after it begins, or permits are known to be used of a bucket
     *     that doesn't count in a period
     */
    public Claim build() {
      checkAmounts();
      checkKind();
      checkWindow(bucket, windowBegin, windowEnd);
      return new Claim(this);
    }

    // Checks apart from the rest, or the JVM wouldn't inline it all: methods of more than 325 bytes
    // of code it doesn't, and then each claim takes the memory of its builder as well.
    private void checkAmounts() {
      long least = Math.min(Math.min(needed, atLeast), Math.min(extra, Math.min(far, debt)));
      least = Math.min(least, Math.min(clearBefore, Math.min(refusedAt, usedAtLeast)));
      least = Math.min(least, Math.min(lostDebt, debtUntil));
      if (least < 0 || effectiveLimit < 1 || burst < 1) {
        throw new IllegalArgumentException("negative amount in a claim of " + bucket);
      }
      if (needed > 0 && atLeast > needed) {
        throw new IllegalArgumentException("atLeast " + atLeast + " is more than needed " + needed);
      }
      if (lostDebt > debt) {
        throw new IllegalArgumentException("lostDebt " + lostDebt + " is more than debt " + debt);
      }
    }

    private void checkKind() {
      if (usedAtLeast > 0 && !bucket.spec().isOfPeriod()) {
        throw new IllegalArgumentException("usedAtLeast requires a period, not " + bucket);
      }
      if (clearBefore > 0 && !bucket.spec().clears()) {
        throw new IllegalArgumentException("no success clears failures of " + bucket);
      }
    }
  }
}
