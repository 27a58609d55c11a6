package io.weir.benchmarks.slow;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that send requests to random cells, each at times that chance sets beforehand.
 *
 * <p>Confine to one thread.
 */
final class Traffic implements AutoCloseable {
  private static final int THREADS = 16;

  private final AtomicReference<@Nullable Throwable> trouble = new AtomicReference<>();
  private final List<Thread> threads = new ArrayList<>();
  private final List<Cell> cells;
  private final double nanosBetween;
  private volatile boolean over;

  /** Starts to send so many requests a second to each cell. */
  Traffic(List<Cell> cells, double perSecond) {
    this.cells = cells;
    this.nanosBetween = 1e9 * THREADS / perSecond / cells.size();
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom random = new SplittableRandom(i);
      Thread thread = new Thread(() -> send(random), "traffic-" + i);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  private void send(SplittableRandom random) {
    try {
      double due = System.nanoTime();
      while (!over) {
        due -= nanosBetween * Math.log(1 - random.nextDouble());
        for (long wait = waitFor(due); wait > 0 && !over; wait = waitFor(due)) {
          LockSupport.parkNanos(wait);
        }
        cells.get(random.nextInt(cells.size())).ask(random);
      }
    } catch (RuntimeException | Error mistake) {
      trouble.set(mistake);
    }
  }

  private static long waitFor(double due) {
    return (long) due - System.nanoTime();
  }

  /** Lets it go on for so long. */
  void last(long millis) throws InterruptedException {
    Thread.sleep(millis);
    Throwable mistake = trouble.get();
    if (mistake != null) {
      throw new IllegalStateException("a caller failed", mistake);
    }
  }

  @Override
  public void close() throws InterruptedException {
    over = true;
    for (Thread each : threads) {
      each.join();
    }
  }
}
