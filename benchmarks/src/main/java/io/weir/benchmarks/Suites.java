package io.weir.benchmarks;

import io.weir.benchmarks.cluster.ClusterSuite;
import io.weir.benchmarks.decisions.Decisions;
import io.weir.benchmarks.http.HttpSuite;
import io.weir.benchmarks.memory.MemorySuite;
import io.weir.benchmarks.redis.RedisSuite;
import io.weir.benchmarks.startup.StartupSuite;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** All suites, in the order in which {@code all} runs them. */
final class Suites {
  static final List<Suite> ALL =
      List.of(
          new Decisions(),
          new RedisSuite(),
          new ClusterSuite(),
          new HttpSuite(),
          new MemorySuite(),
          new StartupSuite());

  private Suites() {}

  static Optional<Suite> named(String name) {
    return ALL.stream().filter(suite -> suite.name().equals(name)).findFirst();
  }

  /** A line for each. */
  static String list() {
    return ALL.stream()
        .map(suite -> "  %-10s %s".formatted(suite.name(), suite.about()))
        .collect(Collectors.joining("\n"));
  }
}
