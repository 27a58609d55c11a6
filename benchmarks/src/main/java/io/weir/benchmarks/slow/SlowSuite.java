package io.weir.benchmarks.slow;

import io.weir.benchmarks.BenchmarkSuite;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.compat.redis.RedisServer;
import java.util.List;

/**
 * Measures how many exchanges with the store a request of infrequent callers needs. A script per
 * request needs one.
 */
public final class SlowSuite implements BenchmarkSuite {
  private static final SlowLoads LOADS =
      new SlowLoads("slow", new int[] {100, 1_000}, new int[] {1, 4}, new int[] {5, 20, 50, 80});

  /** Makes it. */
  public SlowSuite() {}

  @Override
  public String name() {
    return "slow";
  }

  @Override
  public String about() {
    return "Exchanges with Redis for a request of callers who use a part of their limit, on one"
        + " node, and on four behind a balancer that picks one at random. A script a request"
        + " needs one.";
  }

  @Override
  public List<String> figures() {
    return LOADS.figures();
  }

  @Override
  public void run(Effort effort, Report report) throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      LOADS.run(redis.url(), effort, report);
    }
  }
}
