package io.weir.benchmarks.cluster;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The callers of one cluster: some for each node and limit, all at the same time.
 *
 * <p>Confine to one thread.
 */
final class Crowd {
  private static final int PER_NODE = 2;
  private static final long TO_GET_READY = 50_000;

  private final Cluster cluster;
  private final List<Part> parts = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());

  private record Part(
      Limit limit, long from, long to, long exchanges, long ahead, List<PacedCaller> callers) {}

  private Crowd(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Callers of one bucket for each limit. They start at once. */
  static Crowd start(Cluster cluster, List<Limit> limits, String key, long micros) {
    Crowd crowd = new Crowd(cluster);
    long from = Clock.micros() + TO_GET_READY;
    limits.forEach(limit -> crowd.add(limit, key, from, from + micros));
    crowd.threads.forEach(Thread::start);
    return crowd;
  }

  private void add(Limit limit, String key, long from, long to) {
    List<PacedCaller> callers = new ArrayList<>();
    for (int i = 0; i < PER_NODE * Cluster.NODES; i++) {
      PacedCaller caller =
          new PacedCaller(cluster, i, limit, key, PER_NODE * Cluster.NODES, from, to);
      Thread thread = new Thread(caller, "caller-" + limit.word() + "-" + i);
      thread.setDaemon(true);
      thread.setUncaughtExceptionHandler((any, failure) -> failures.add(failure));
      callers.add(caller);
      threads.add(thread);
    }
    parts.add(new Part(limit, from, to, cluster.exchanges(limit), cluster.ahead(limit), callers));
  }

  /** Waits for the end of the load. */
  List<LoadResult> tallies() throws InterruptedException {
    for (Thread each : threads) {
      each.join();
    }
    if (!failures.isEmpty()) {
      throw new IllegalStateException("a caller failed", failures.get(0));
    }
    return parts.stream().map(this::tally).toList();
  }

  private LoadResult tally(Part part) {
    return new LoadResult(
        part.limit,
        part.from,
        part.to,
        Admissions.of(part.callers.stream().map(PacedCaller::admissions).toList()),
        Admissions.of(part.callers.stream().map(PacedCaller::withStore).toList()),
        LoadResult.Waits.of(part.callers.stream().map(PacedCaller::micros).toList()),
        part.callers.stream().mapToLong(PacedCaller::degraded).sum(),
        cluster.exchanges(part.limit) - part.exchanges,
        cluster.ahead(part.limit) - part.ahead);
  }
}
