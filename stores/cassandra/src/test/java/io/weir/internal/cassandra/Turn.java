package io.weir.internal.cassandra;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.LongStream;

/**
 * The results of several threads within a time.
 *
 * @param perSecond how many requests were answered
 * @param medianMillis how long half of them took at most
 * @param p99Millis how long 99 of 100 took at most
 * @param failed how many weren't answered as they should
 */
record Turn(double perSecond, double medianMillis, double p99Millis, long failed) {
  /** Has each thread ask again and again; the way is given its number, and false is a failure. */
  static Turn run(int threads, Duration time, IntPredicate way) throws InterruptedException {
    ExecutorService all = Executors.newFixedThreadPool(threads);
    try {
      long end = System.nanoTime() + time.toNanos();
      List<Future<long[]>> asking = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int number = thread;
        asking.add(all.submit(() -> ask(number, end, way)));
      }
      LongStream.Builder nanos = LongStream.builder();
      for (Future<long[]> each : asking) {
        Arrays.stream(each.get()).forEach(nanos);
      }
      return of(nanos.build().sorted().toArray(), time);
    } catch (ExecutionException broken) {
      throw new IllegalStateException(broken.getCause());
    } finally {
      all.shutdown();
    }
  }

  /** The time that each request took; 0 if it failed. */
  private static long[] ask(int number, long end, IntPredicate way) {
    LongStream.Builder nanos = LongStream.builder();
    for (long begun = System.nanoTime(); begun < end; begun = System.nanoTime()) {
      boolean answered = answered(number, way);
      nanos.add(answered ? System.nanoTime() - begun : 0);
    }
    return nanos.build().toArray();
  }

  private static boolean answered(int number, IntPredicate way) {
    try {
      return way.test(number);
    } catch (RuntimeException unanswered) {
      return false;
    }
  }

  private static Turn of(long[] sorted, Duration time) {
    int failed = (int) Arrays.stream(sorted).takeWhile(each -> each == 0).count();
    int count = sorted.length - failed;
    if (count == 0) {
      return new Turn(0, Double.NaN, Double.NaN, failed);
    }
    double seconds = time.toNanos() / (double) TimeUnit.SECONDS.toNanos(1);
    double median = millis(sorted[failed + count / 2]);
    return new Turn(count / seconds, median, millis(sorted[failed + count * 99 / 100]), failed);
  }

  private static double millis(long nanos) {
    return nanos / (double) TimeUnit.MILLISECONDS.toNanos(1);
  }
}
