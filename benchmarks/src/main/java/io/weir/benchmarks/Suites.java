package io.weir.benchmarks;

import io.weir.benchmarks.cluster.ClusterSuite;
import io.weir.benchmarks.cold.ColdSuite;
import io.weir.benchmarks.day.DaySuite;
import io.weir.benchmarks.decisions.DecisionsSuite;
import io.weir.benchmarks.http.HttpSuite;
import io.weir.benchmarks.memory.MemorySuite;
import io.weir.benchmarks.postgres.PostgresSuite;
import io.weir.benchmarks.redis.RedisSuite;
import io.weir.benchmarks.rules.RulesSuite;
import io.weir.benchmarks.service.ServiceSuite;
import io.weir.benchmarks.slow.SlowSuite;
import io.weir.benchmarks.soak.SoakSuite;
import io.weir.benchmarks.startup.StartupSuite;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All suites. */
final class Suites {
  /** Those that measure, in the order in which {@code all} runs them. */
  static final List<BenchmarkSuite> ALL =
      List.of(
          new DecisionsSuite(),
          new ColdSuite(),
          new SlowSuite(),
          new DaySuite(),
          new RedisSuite(),
          new PostgresSuite(),
          new ClusterSuite(),
          new HttpSuite(),
          new MemorySuite(),
          new RulesSuite(),
          new ServiceSuite(),
          new StartupSuite());

  /** Those and what watches for as long as one likes. */
  static final List<BenchmarkSuite> EVERY =
      Stream.concat(ALL.stream(), Stream.of(new SoakSuite())).toList();

  private Suites() {}

  static Optional<BenchmarkSuite> named(String name) {
    return EVERY.stream().filter(suite -> suite.name().equals(name)).findFirst();
  }

  /** Returns a line for each. */
  static String list() {
    return EVERY.stream()
        .map(suite -> "  %-10s %s".formatted(suite.name(), suite.about()))
        .collect(Collectors.joining("\n"));
  }
}
