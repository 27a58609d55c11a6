package io.weir.testkit.load;

import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * Requests over time: one pattern of them, or several together.
 *
 * <p>Immutable.
 */
@FunctionalInterface
public interface Load {
  /**
   * Begins.
   *
   * @param arrivals where requests go
   */
  void start(Arrivals arrivals);

  /**
   * Several at the same time.
   *
   * @param all the loads
   * @return one load
   */
  static Load together(List<Load> all) {
    return arrivals -> all.forEach(each -> each.start(arrivals));
  }

  /**
   * Returns a load of independent requests.
   *
   * @param caller the caller
   * @param perSecond how many, on average
   * @return a load
   */
  static Load poisson(Caller caller, double perSecond) {
    return new Load() {
      @Override
      public void start(Arrivals arrivals) {
        double gap = -Math.log(1 - arrivals.random().nextDouble()) / perSecond * 1e6;
        arrivals.after(
            Math.max(1, (long) gap),
            () -> {
              arrivals.request(caller);
              start(arrivals);
            });
      }
    };
  }

  /**
   * Returns a load of repeated bursts: a thundering herd if within no time.
   *
   * @param caller the caller
   * @param requests how many each time
   * @param within how long one lot takes to arrive
   * @param every from the start of one lot to that of the next
   * @return a load
   */
  static Load bursts(Caller caller, int requests, Duration within, Duration every) {
    return new Load() {
      @Override
      public void start(Arrivals arrivals) {
        arrivals.after(
            micros(every),
            () -> {
              scatter(arrivals, caller, requests, micros(within));
              start(arrivals);
            });
      }
    };
  }

  /**
   * Nodes that are busy for milliseconds and then aren't, each by itself: 5 to 64 requests within
   * up to 30 ms, then nothing for up to 60 ms, sometimes for up to 300 ms.
   *
   * @param caller the caller; its spread doesn't matter
   * @return a load
   */
  static Load flicker(Caller caller) {
    return arrivals -> {
      for (int node = 0; node < arrivals.nodes(); node++) {
        flicker(arrivals, caller.at(Caller.Spread.one(node)));
      }
    };
  }

  private static void flicker(Arrivals arrivals, Caller caller) {
    Random random = arrivals.random();
    int pause = random.nextInt(random.nextInt(4) == 0 ? 300_000 : 60_000);
    arrivals.after(
        pause,
        () -> {
          scatter(arrivals, caller, 5 + random.nextInt(60), 1 + random.nextInt(30_000));
          flicker(arrivals, caller);
        });
  }

  private static void scatter(Arrivals arrivals, Caller caller, int requests, long within) {
    for (int i = 0; i < requests; i++) {
      long later = (long) (arrivals.random().nextDouble() * within);
      arrivals.after(later, () -> arrivals.request(caller));
    }
  }

  private static long micros(Duration time) {
    return time.toNanos() / 1_000;
  }
}
