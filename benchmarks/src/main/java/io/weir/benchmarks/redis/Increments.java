package io.weir.benchmarks.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import redis.clients.jedis.AbstractPipeline;
import redis.clients.jedis.Jedis;

/**
 * The floor of whatever counts in Redis: one INCR for each of many keys, pipelined.
 *
 * <p>Confine to one thread.
 */
final class Increments implements AutoCloseable {
  private final List<Jedis> connections = new ArrayList<>();
  private final ExecutorService threads;
  private final List<String> keys = new ArrayList<>();
  private final int depth;
  private int rounds;

  /**
   * Connects.
   *
   * @param connections how many, each with a thread of its own
   * @param depth how many commands go out before the first answer is read
   */
  Increments(int port, int connections, int buckets, int depth) {
    for (int i = 0; i < connections; i++) {
      this.connections.add(new Jedis("127.0.0.1", port));
    }
    for (int i = 0; i < buckets; i++) {
      keys.add(String.format(Locale.ROOT, "incr:{%022d}:dirty", i)); // as long as Weir's
    }
    this.depth = depth;
    this.threads = Executors.newFixedThreadPool(connections);
  }

  /** One INCR for each key; how many a second. */
  double round() throws Exception {
    rounds++;
    int each = keys.size() / connections.size();
    List<Future<?>> parts = new ArrayList<>();
    long begin = System.nanoTime();
    for (int i = 0; i < connections.size(); i++) {
      Jedis connection = connections.get(i);
      List<String> some = keys.subList(i * each, (i + 1) * each);
      parts.add(threads.submit(() -> increment(connection, some)));
    }
    for (Future<?> part : parts) {
      part.get();
    }
    return keys.size() * 1e9 / (System.nanoTime() - begin);
  }

  private void increment(Jedis connection, List<String> some) {
    for (int from = 0; from < some.size(); from += depth) {
      try (AbstractPipeline pipeline = connection.pipelined()) {
        some.subList(from, Math.min(some.size(), from + depth)).forEach(pipeline::incr);
        pipeline.sync();
      }
    }
  }

  /** Checks that each key was counted. */
  void check() {
    String counted = connections.get(0).get(keys.get(keys.size() - 1));
    if (!String.valueOf(rounds).equals(counted)) {
      throw new IllegalStateException(rounds + " rounds counted " + counted);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    connections.forEach(Jedis::close);
  }
}
