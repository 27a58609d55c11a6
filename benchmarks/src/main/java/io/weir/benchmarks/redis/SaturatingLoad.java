package io.weir.benchmarks.redis;

import io.weir.benchmarks.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * Threads that ask as fast as they are answered, for a while.
 *
 * <p>Confine to one thread.
 */
final class SaturatingLoad {
  private volatile boolean over;
  private volatile String trouble = "";
  private Work work = Work.NONE;

  private SaturatingLoad() {}

  /** The request that one thread repeats. */
  interface Caller {
    /** One request; false if it isn't admitted, which ends the race. */
    boolean ask();
  }

  /**
   * Runs a race.
   *
   * @param callers makes what the thread of a number asks
   * @return requests, and how many a second
   */
  static Result run(int threads, long millis, IntFunction<Caller> callers) throws Exception {
    return run(Thread.currentThread().getThreadGroup(), threads, millis, callers);
  }

  /** The same with threads of this group. */
  static Result run(ThreadGroup group, int threads, long millis, IntFunction<Caller> callers)
      throws Exception {
    return new SaturatingLoad().start(group, threads, millis, callers);
  }

  /**
   * The results.
   *
   * @param requests how many were answered
   * @param perSecond how many that is a second
   * @param work what the threads have done that asked
   */
  record Result(long requests, double perSecond, Work work) {}

  private Result start(ThreadGroup group, int threads, long millis, IntFunction<Caller> callers)
      throws Exception {
    long[] asked = new long[threads];
    CountDownLatch ended = new CountDownLatch(threads);
    List<Thread> running = new ArrayList<>();
    long begin = System.nanoTime();
    for (int i = 0; i < threads; i++) {
      int number = i;
      Caller caller = callers.apply(i);
      running.add(
          new Thread(
              group,
              () -> {
                asked[number] = ask(caller);
                worked(Work.ofThisThread());
                ended.countDown();
              }));
    }
    running.forEach(Thread::start);
    boolean early = ended.await(millis, TimeUnit.MILLISECONDS);
    over = true;
    for (Thread each : running) {
      each.join();
    }
    long nanos = System.nanoTime() - begin;
    if (early || !trouble.isEmpty()) {
      throw new IllegalStateException("not what was to be measured: " + trouble);
    }
    long all = 0;
    for (long each : asked) {
      all += each;
    }
    return new Result(all, all * 1e9 / nanos, work);
  }

  private synchronized void worked(Work ofOne) {
    work = work.plus(ofOne);
  }

  private long ask(Caller caller) {
    long asked = 0;
    try {
      do {
        if (!caller.ask()) {
          throw new IllegalStateException("refused");
        }
        asked++;
      } while (!over);
    } catch (RuntimeException | Error mistake) {
      trouble = mistake.toString();
      over = true;
    }
    return asked;
  }
}
