package io.weir.internal.algorithm;

import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import java.util.List;

/**
 * What a store remembers of one bucket, and the arithmetic that turns a claim and the time into a
 * grant.
 *
 * <p>Each algorithm charges a permit to the slot of time in which it may be spent last. A permit is
 * so never spent later than it is counted, and nothing need be remembered about who holds it. With
 * {@code minLifeMicros} 0 permits are spent where they are granted, and all arithmetic is exact to
 * the microsecond; a store that leases permits gives them a minimum of life, which lets them be
 * used although they were granted at the very end of a slot.
 *
 * <p>Time in a bucket never runs back: an earlier time than the last one counts as the last one.
 * Capacity and burst come with each claim; whether more or fewer are in force than the last time,
 * what has been used stays used. A claim that only looks is answered by its own, and leaves those
 * in force that were.
 *
 * <p>Confine to one thread.
 */
public abstract class BucketState {
  /**
   * More than any capacity or burst: the largest limit, raised by ELASTIC as far as it goes, takes
   * 34 bits. Stores that count in scripts have only doubles, which are whole up to 2^53; so the sum
   * of a few thousand of these stays within that, as does what {@link Wide} tells.
   */
  static final long MOST = 1L << 40;

  /** No count says more than this. */
  static final long MOST_USED = 1L << 52;

  private long last;

  BucketState() {}

  BucketState(BucketState original) {
    last = original.last;
  }

  /**
   * A fresh bucket.
   *
   * @param spec its algorithm and window
   * @param minLifeMicros the shortest life of a grant; 0 where permits are spent at once; at most
   *     the window
   * @return a state that has used nothing
   * @throws IllegalArgumentException if the life is negative or longer than the window
   */
  public static BucketState of(BucketSpec spec, long minLifeMicros) {
    long window = spec.windowMicros();
    if (minLifeMicros < 0 || minLifeMicros > window) {
      throw new IllegalArgumentException(
          "minLifeMicros must be 0 up to the window of " + window + ", not " + minLifeMicros);
    }
    return switch (spec.algorithm()) {
      case FIXED_WINDOW -> new FixedWindow(window);
      case SLIDING_WINDOW -> new SlidingWindow(window, minLifeMicros);
      case SLIDING_LOG -> new SlidingLog(window, minLifeMicros);
      case TOKEN_BUCKET, LEAKY_BUCKET -> new LevelBucket(window, minLifeMicros);
    };
  }

  /**
   * Executes one claim: gives back, pays debts, takes.
   *
   * <p>In the grant, {@code retry} is exact: after it has passed and nothing else has happened,
   * max(1, atLeast) are granted. What can never be granted, because it is more than the capacity,
   * has the window as its {@code retry}; and times beyond 142 years are told as 142 years.
   *
   * @param claim what is asked
   * @param clockMicros microseconds since the epoch by the store's clock
   * @return the answer
   */
  public final Grant step(Claim claim, long clockMicros) {
    long now = Math.max(last, clockMicros);
    last = now;
    long effectiveLimit = Math.min(claim.effectiveLimit(), MOST);
    long burst = Math.min(claim.burst(), MOST);
    BucketState state = looks(claim) && !keeps(effectiveLimit, burst) ? copy() : this;
    return state.answer(claim, now, effectiveLimit, burst);
  }

  private Grant answer(Claim claim, long now, long effectiveLimit, long burst) {
    roll(now, effectiveLimit, burst);
    execute(claim);
    long permits = granted(claim, free());
    charge(permits);
    long left = free();
    long wanted = Math.max(1, claim.atLeast());
    long retry = left >= wanted ? 0 : retry(now, wanted);
    long reset = left >= most() ? 0 : wait(now, left + 1);
    return Grant.builder()
        .granted(permits, stamp(), life(now))
        .left(left)
        .retry(retry)
        .reset(reset)
        .build();
  }

  /**
   * When this state will equal a fresh one if nobody asks; it may be forgotten from then on.
   *
   * @return microseconds since the epoch, in the past if it is as good as fresh; a time 142 years
   *     ahead stands for all later ones
   */
  public abstract long freshAt();

  /**
   * The time of the last step, which any earlier one counts as.
   *
   * @return microseconds since the epoch; 0 before the first step
   */
  public final long last() {
    return last;
  }

  /**
   * Until when time alone changes nothing since the last step: permits granted by then are charged
   * to the same slot, and no others come back.
   *
   * @return microseconds since the epoch, exclusive; where time always changes something, that of
   *     the last step
   */
  public long steadyUntil() {
    return last;
  }

  /**
   * The same state once more.
   *
   * @return a state that goes its own way from here
   */
  public abstract BucketState copy();

  /**
   * A copy that takes little memory, whatever this one takes: what was used may come back a little
   * later, never earlier.
   *
   * @return a state that goes its own way from here
   */
  public BucketState condensed() {
    return copy();
  }

  private static boolean looks(Claim claim) {
    return claim.needed() == 0
        && claim.extra() == 0
        && claim.debt() == 0
        && claim.giveBacks().isEmpty();
  }

  private void execute(Claim claim) {
    List<GiveBack> giveBacks = claim.giveBacks();
    for (int i = 0; i < giveBacks.size(); i++) {
      credit(giveBacks.get(i).stamp(), giveBacks.get(i).permits());
    }
    charge(claim.debt());
  }

  private static long granted(Claim claim, long free) {
    long permits = Math.min(claim.needed(), free);
    if (permits < claim.atLeast()) {
      return 0;
    }
    boolean met = permits == claim.needed();
    return met ? permits + Math.min(claim.extra(), (free - permits) / 8) : permits;
  }

  private long retry(long now, long wanted) {
    return wanted > most() ? window() : wait(now, wanted);
  }

  private long wait(long now, long wanted) {
    return Math.min(Wide.FOREVER, until(wanted) - now);
  }

  /** The length of the window. */
  abstract long window();

  /** Makes this the state of now, with this capacity and burst in force. */
  abstract void roll(long now, long effectiveLimit, long burst);

  /** Whether these say no other than what the state keeps for the time to come. */
  boolean keeps(long effectiveLimit, long burst) {
    return true;
  }

  /** Permits that a fresh bucket has at once. */
  abstract long most();

  /** Permits that may be granted now. */
  abstract long free();

  /** Takes permits, whether they are free or not. */
  abstract void charge(long permits);

  /** Takes back what was charged to the slot of this stamp, if it still counts there. */
  abstract void credit(long stamp, long permits);

  /** The slot that permits granted now are charged to. */
  abstract long stamp();

  /** How long permits granted now may be spent. */
  abstract long life(long now);

  /** The first time at which this many will be free, more than now and at most {@link #most}. */
  abstract long until(long wanted);
}
