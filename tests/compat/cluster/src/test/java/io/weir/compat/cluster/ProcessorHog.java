package io.weir.compat.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * Threads that keep each processor of the machine busy.
 *
 * <p>Confine to one thread.
 */
final class ProcessorHog implements AutoCloseable {
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean over;
  private volatile long turns;

  private ProcessorHog(int count) {
    for (int i = 0; i < count; i++) {
      Thread thread = new Thread(this::turn, "hog");
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  static ProcessorHog onAllProcessors() {
    return new ProcessorHog(2 * Runtime.getRuntime().availableProcessors());
  }

  private void turn() {
    long mine = 0;
    while (!over) {
      mine++;
    }
    turns = mine;
  }

  int threads() {
    return threads.size();
  }

  @Override
  public void close() throws InterruptedException {
    over = true;
    for (Thread thread : threads) {
      thread.join();
    }
    assert turns >= 0;
  }
}
