package io.weir.benchmarks.redis;

import io.weir.benchmarks.BenchmarkSuite;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import java.util.ArrayList;
import java.util.List;

/** Requests a second over a Redis on the same machine, on hot keys and ahead of it. */
public final class RedisSuite implements BenchmarkSuite {
  /** For {@code Suites}. */
  public RedisSuite() {}

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public String about() {
    return "requests over a Redis beside scripts, Bucket4j, Redisson; flushes beside INCR";
  }

  @Override
  public List<String> figures() {
    List<String> all = new ArrayList<>();
    all.addAll(Hot.figures());
    all.addAll(Ahead.figures());
    all.addAll(Settled.figures());
    all.addAll(ClientComparison.figures());
    return all;
  }

  @Override
  public void run(Effort effort, Report report) throws Exception {
    report.setting("redis", "one on this machine, over TCP; it shares the cores with who asks");
    Hot.run(effort, report);
    Ahead.run(effort, report);
    Settled.run(effort, report);
    ClientComparison.run(effort, report);
  }
}
