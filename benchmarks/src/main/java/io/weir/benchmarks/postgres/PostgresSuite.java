package io.weir.benchmarks.postgres;

import io.weir.benchmarks.BenchmarkSuite;
import io.weir.benchmarks.Child;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Libraries;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.ReportLines;
import java.util.List;

/** Compares limits that nodes share through a PostgreSQL. */
public final class PostgresSuite implements BenchmarkSuite {
  /** Makes it. */
  public PostgresSuite() {}

  @Override
  public String name() {
    return "postgres";
  }

  @Override
  public String about() {
    return "Requests over a PostgreSQL beside Bucket4j's module for it and one INSERT … ON CONFLICT"
        + " a request, and beside Weir on a Redis.";
  }

  @Override
  public List<String> figures() {
    return PostgresChild.figures();
  }

  @Override
  public void run(Effort effort, Report report) throws Exception {
    try (Child child =
        Child.start(List.of(), Libraries.classPath(), PostgresChild.class, effort.name())) {
      ReportLines.read(child, report);
    }
  }
}
