package io.weir.internal.region;

import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.store.BucketId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.function.ToLongFunction;

/**
 * Simulates logins of one caller that take a while. Each counts while it runs, and from then on
 * only if it was wrong: a right one is given back, by when it may have been reported to other
 * regions.
 *
 * <p>Confine to one thread.
 */
final class Logins {
  final BucketId bucket;
  private final SimulatedRegions regions;
  private final PermitRequest ask;
  private final int rightPercent;
  private final ToLongFunction<Random> lasts;
  private final long settles;
  private final Deque<Long> ended = new ArrayDeque<>();
  private long running;
  private long fewest = Long.MAX_VALUE;
  private long refused;

  /**
   * Begins without a login.
   *
   * @param rightPercent of a hundred logins, how many are right
   * @param lasts draws how long one takes, in microseconds
   * @param settles microseconds after which a right one is given back everywhere
   */
  Logins(
      SimulatedRegions regions,
      Policy policy,
      String who,
      int rightPercent,
      ToLongFunction<Random> lasts,
      long settles) {
    this.regions = regions;
    this.ask = new PermitRequest(policy, Key.of(who));
    this.bucket = new BucketId(policy.spec(), ask.key());
    this.rightPercent = rightPercent;
    this.lasts = lasts;
    this.settles = settles;
  }

  void login(int region, Random its) {
    long micros = lasts.applyAsLong(its);
    boolean isRight = its.nextInt(100) < rightPercent;
    running++;
    regions.request(
        region,
        ask,
        its,
        (decision, back) -> {
          if (!decision.admitted()) {
            running--;
            refused(region);
            return;
          }
          regions.time.after(micros, () -> end(isRight, back));
        });
  }

  private void end(boolean isRight, Runnable back) {
    running--;
    ended.add(regions.time.now());
    if (isRight) {
      back.run();
    }
  }

  private void refused(int region) {
    refused++;
    while (!ended.isEmpty() && ended.peek() < regions.time.now() - settles) {
      ended.remove();
    }
    fewest = Math.min(fewest, running + ended.size() + regions.lost(region, bucket));
  }

  /** Returns the logins that were refused. */
  long refused() {
    return refused;
  }

  /**
   * Returns the fewest logins in flight when one was refused, with those that may not be given back
   * yet, and all that lost messages may have left; more than any number if none was refused.
   */
  long fewestWhenRefused() {
    return fewest;
  }
}
