package io.weir.benchmarks.soak;

import io.weir.compat.redis.fault.CallFault;
import io.weir.compat.redis.fault.Failover;
import io.weir.compat.redis.fault.Fault;
import io.weir.compat.redis.fault.Mishap;
import io.weir.compat.redis.fault.Moment;
import io.weir.compat.redis.fault.Recipe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Plans the faults: one in each period, with its duration, random but reproducible by a seed.
 *
 * <p>Confine to one thread.
 */
final class Plan {
  private static final int MIN_PERCENT = 3;
  private static final int MAX_PERCENT = 12;

  private final SplittableRandom random;
  private final long periodMillis;
  private final List<Mishap> mishaps = new ArrayList<>();

  Plan(long seed, long periodMillis) {
    this.random = new SplittableRandom(seed);
    this.periodMillis = periodMillis;
    for (Fault fault : Fault.values()) {
      for (Moment moment : Moment.values()) {
        mishaps.add(new CallFault(fault, moment));
      }
    }
    mishaps.addAll(Arrays.asList(Recipe.values()));
    mishaps.add(new Failover());
  }

  Mishap next() {
    return mishaps.get(random.nextInt(mishaps.size()));
  }

  /** Returns when it begins, in milliseconds since the period began. */
  long beginsMillis() {
    return periodMillis / 4;
  }

  /** Returns the duration. */
  long lastsMillis() {
    return periodMillis * random.nextInt(MIN_PERCENT, MAX_PERCENT) / 100;
  }

  long periodMillis() {
    return periodMillis;
  }
}
