package io.weir.benchmarks.soak;

import io.weir.benchmarks.BenchmarkSuite;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/** Checks all promises of three JVMs on one Redis, with a fault every minute. */
public final class SoakSuite implements BenchmarkSuite {
  private static final int MINUTE_MILLIS = 60_000;
  private static final int DEFAULT_MINUTES = 5;

  private final OptionalInt minutes;

  /** One that lasts as long as the effort says. */
  public SoakSuite() {
    this(OptionalInt.empty());
  }

  private SoakSuite(OptionalInt minutes) {
    this.minutes = minutes;
  }

  @Override
  public BenchmarkSuite lasting(Duration duration) {
    return new SoakSuite(OptionalInt.of((int) duration.toMinutes()));
  }

  @Override
  public String name() {
    return "soak";
  }

  @Override
  public String about() {
    return "Three JVMs with a node each on one Redis, under a steady load; once a minute something"
        + " goes wrong, and everything that is promised must be true. Lasts --minutes, 5 unless"
        + " given; not one of all.";
  }

  @Override
  public List<String> figures() {
    return List.of(
        "soak.minutes",
        "soak.decisions",
        "soak.faults",
        "soak.overshoot",
        "soak.overshoot_after_loss",
        "soak.degraded",
        "soak.failed",
        "soak.longest_wait",
        "soak.heap_first",
        "soak.heap_last",
        "soak.threads_first",
        "soak.threads_last",
        "soak.redis_memory_first",
        "soak.redis_memory_last",
        "soak.redis_keys_first",
        "soak.redis_keys_last");
  }

  @Override
  public void run(Effort effort, Report report) throws Exception {
    int periods = minutes.orElse(effort.of(1, 2, DEFAULT_MINUTES));
    long millis = minutes.isPresent() ? MINUTE_MILLIS : effort.of(3_000, 20_000, MINUTE_MILLIS);
    long any = effort == Effort.TINY ? 1 : System.nanoTime() % 1_000_000;
    long seed = Long.getLong("weir.test.seed", any);
    report.setting("Seed of what goes wrong", seed + " (-Dweir.test.seed)");
    report.setting("Store time-out", SoakNode.TIMEOUT_MILLIS + " ms");
    try (SoakRun soak = new SoakRun(seed, millis, report)) {
      soak.run(periods);
      soak.tell();
    }
  }
}
