package io.weir.benchmarks.redis;

import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Suite;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Requests a second over a Redis on the same machine, on hot keys and on cold ones. */
public final class RedisSuite implements Suite {
  /** For {@code Suites}. */
  public RedisSuite() {}

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public String about() {
    return "requests over a Redis beside a script for each, Bucket4j and Redisson; flushes beside INCR";
  }

  @Override
  public List<String> figures() {
    List<String> all = new ArrayList<>();
    all.addAll(Hot.figures());
    all.addAll(Cold.figures());
    all.addAll(Settled.figures());
    return all;
  }

  @Override
  public void run(Effort effort, Report report) throws Exception {
    Set<String> parts = Set.of(System.getProperty("redis.parts", "hot,cold,settled").split(","));
    if (parts.contains("hot")) {
      Hot.run(effort, report);
    }
    if (parts.contains("cold")) {
      Cold.run(effort, report);
    }
    if (parts.contains("settled")) {
      Settled.run(effort, report);
    }
  }
}
