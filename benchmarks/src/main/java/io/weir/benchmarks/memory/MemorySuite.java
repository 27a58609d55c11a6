package io.weir.benchmarks.memory;

import io.weir.benchmarks.BenchmarkSuite;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Table;
import io.weir.compat.redis.RedisServer;
import java.io.IOException;
import java.util.List;

/** Measures the heap that a bucket takes, and a node that is flooded with keys. */
public final class MemorySuite implements BenchmarkSuite {
  private static final int FLUSH = 100;
  private static final int LONGEST_FLUSH = 10_000;

  /** The part of a flood for the node with room for all; only its rate is measured. */
  private static final int SHARE = 10;

  private static final List<String> COLUMNS = List.of("class", "of each bucket", "bytes");

  /** Makes it. */
  public MemorySuite() {}

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public String about() {
    return "Buckets touched once and held by a node: bytes of heap after collection beyond the"
        + " characters of the key. And a flood of keys: through a node with room for 100,000"
        + " buckets and a heap of 256 MiB, beside one with room for all.";
  }

  @Override
  public List<String> figures() {
    return List.of(
        "memory.bytes_per_bucket",
        "memory.busy_bytes_per_bucket",
        "memory.inprocess_bytes_per_bucket",
        "memory.flood.out_of_memory",
        "memory.flood.keys_per_s",
        "memory.flood.throughput_ratio",
        "memory.flood.heap_after",
        "memory.inprocess_flood.out_of_memory",
        "memory.inprocess_flood.keys_per_s",
        "memory.inprocess_flood.throughput_ratio",
        "memory.inprocess_flood.heap_after");
  }

  @Override
  public void run(Effort effort, Report report) throws Exception {
    int buckets = effort.of(20_000, 300_000, 1_000_000);
    int keys = effort.of(20_000, 1_000_000, 10_000_000);
    report.setting("buckets", buckets);
    report.setting("keys of the flood", keys);
    try (RedisServer redis = RedisServer.start()) {
      held(redis.url(), buckets, report);
    }
    try (RedisServer redis = RedisServer.start()) {
      new Flood(redis.url(), "memory.flood", report).run(keys, effort.of(1, 3, 5), SHARE);
    }
    new Flood(Node.IN_PROCESS, "memory.inprocess_flood", report)
        .run(keys, effort.of(1, 3, 5), SHARE);
  }

  private static void held(String redis, int buckets, Report report) throws IOException {
    Held rest = Held.measured(redis, buckets, FLUSH, "rest");
    report.figure("memory.bytes_per_bucket", rest.each(), "B");
    // All of them within one flush: nothing has been given back or forgotten yet.
    Held busy = Held.measured(redis, buckets / 5, LONGEST_FLUSH, "now");
    report.figure("memory.busy_bytes_per_bucket", busy.each(), "B");
    Held inProcess = Held.measured(Node.IN_PROCESS, buckets, FLUSH, "rest");
    report.figure("memory.inprocess_bytes_per_bucket", inProcess.each(), "B");
    report.table(new Table("A bucket that was touched once", COLUMNS, rest.rows()));
    report.table(new Table("A bucket between two flushes", COLUMNS, busy.rows()));
    report.table(new Table("A bucket of the store in this process", COLUMNS, inProcess.rows()));
  }
}
