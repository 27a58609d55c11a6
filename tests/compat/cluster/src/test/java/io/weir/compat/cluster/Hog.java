package io.weir.compat.cluster;

import java.util.ArrayList;
import java.util.List;

/** Keeps processors of this machine busy until it is closed. Confine to one thread. */
final class Hog implements AutoCloseable {
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ends;

  /** Starts so many busy loops. */
  Hog(int loops) {
    for (int i = 0; i < loops; i++) {
      Thread thread = new Thread(this::run, "hog");
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  private void run() {
    while (!ends) {
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    ends = true;
  }
}
