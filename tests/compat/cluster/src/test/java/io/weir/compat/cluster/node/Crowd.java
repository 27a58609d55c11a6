package io.weir.compat.cluster.node;

import java.util.ArrayList;
import java.util.List;

/** Threads that run callers, and what they saw. Confine to one thread. */
final class Crowd {
  private static final long PATIENCE_MILLIS = 60_000;

  private final List<Caller> callers;
  private final List<Thread> threads = new ArrayList<>();

  Crowd(List<Caller> callers) {
    this.callers = callers;
  }

  Crowd start() {
    for (Caller caller : callers) {
      Thread thread = new Thread(caller, "caller");
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
    return this;
  }

  Crowd stop() {
    callers.forEach(Caller::stop);
    return this;
  }

  /** Waits for all, and returns what they saw: a line of counts, one for each error and sample. */
  List<String> report() throws InterruptedException {
    List<String> lines = new ArrayList<>();
    int stuck = 0;
    for (int i = 0; i < threads.size(); i++) {
      threads.get(i).join(PATIENCE_MILLIS);
      if (threads.get(i).isAlive()) {
        stuck++;
      } else {
        callers.get(i).errors().forEach(error -> lines.add("error " + error.replace('\n', ' ')));
        callers.get(i).samples().forEach(sample -> lines.add("sample " + sample.line()));
      }
    }
    lines.add(0, "stuck " + stuck);
    return lines;
  }
}
