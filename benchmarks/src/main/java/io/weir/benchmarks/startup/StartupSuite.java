package io.weir.benchmarks.startup;

import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Figure;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Samples;
import io.weir.benchmarks.Suite;
import io.weir.benchmarks.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Starts an application of 1,000 annotated resource methods with Weir and without, in pairs of
 * fresh JVMs.
 *
 * <p>Confine to one thread.
 */
public final class StartupSuite implements Suite {
  private static final int CLASSES = 100;
  private static final int FEW = 1;

  /** Starts with Weir and their partners without. */
  private record Pairs(List<Start> with, List<Start> without) {
    Samples with(ToDoubleFunction<Start> what) {
      return samples(with, what);
    }

    Samples without(ToDoubleFunction<Start> what) {
      return samples(without, what);
    }

    Samples added(ToDoubleFunction<Start> what) {
      return with(what).minus(without(what));
    }

    String last(int methods) {
      int last = with.size() - 1;
      return "%d methods: %.0f ms with, %.0f ms without"
          .formatted(methods, with.get(last).millis(), without.get(last).millis());
    }

    private static Samples samples(List<Start> starts, ToDoubleFunction<Start> what) {
      return Samples.of(starts.stream().mapToDouble(what).toArray());
    }
  }

  @Override
  public String name() {
    return "startup";
  }

  @Override
  public String about() {
    return "From the start of a JVM to the first response of a Jersey application on Tomcat with"
        + " 1,000 annotated methods, with Weir and without";
  }

  @Override
  public List<String> figures() {
    return List.of(
        "startup.without_ms", "startup.with_ms", "startup.added_ms", "startup.added_cpu_ms");
  }

  @Override
  public void run(Effort effort, Report report) throws IOException {
    Path scratch = Files.createTempDirectory("weir-startup");
    try {
      Path made = Files.createDirectory(scratch.resolve("made"));
      Sources.compile(CLASSES, made);
      Pairs many = pairs(effort.of(1, 4, 9), CLASSES, made, scratch, report);
      tell(many, report);
      if (effort != Effort.TINY) {
        Pairs few = pairs(effort.of(1, 3, 5), FEW, made, scratch, report);
        report.table(growth(few, many));
      }
    } finally {
      delete(scratch);
    }
  }

  private static Pairs pairs(int rounds, int classes, Path made, Path scratch, Report report)
      throws IOException {
    Pairs pairs = new Pairs(new ArrayList<>(), new ArrayList<>());
    int first = rounds == 1 ? 0 : -1; // one that isn't counted, to have all files in memory
    for (int round = first; round < rounds; round++) {
      // In turns, so that neither is always the one after the other.
      boolean limitedFirst = round % 2 == 0;
      Start one = Start.of(limitedFirst, classes, made, scratch);
      Start other = Start.of(!limitedFirst, classes, made, scratch);
      if (round >= 0) {
        pairs.with.add(limitedFirst ? one : other);
        pairs.without.add(limitedFirst ? other : one);
        report.progress(pairs.last(classes * Sources.METHODS));
      }
    }
    return pairs;
  }

  private static void tell(Pairs pairs, Report report) {
    report.setting("methods", CLASSES * Sources.METHODS);
    report.setting("pairs of JVMs", pairs.with.size());
    report.setting("store", "in process");
    report.figure("startup.without_ms", pairs.without(Start::millis), "ms");
    report.figure("startup.with_ms", pairs.with(Start::millis), "ms");
    report.figure("startup.added_ms", pairs.added(Start::millis), "ms");
    report.figure("startup.added_cpu_ms", pairs.added(Start::cpuMillis), "ms");
  }

  private static Table growth(Pairs few, Pairs many) {
    return new Table(
        "What a start takes longer, against the number of annotated methods",
        List.of("methods", "without, ms", "with, ms", "added, ms", "spread"),
        List.of(row(FEW, few), row(CLASSES, many)));
  }

  private static List<String> row(int classes, Pairs pairs) {
    Figure added = pairs.added(Start::millis).figure("startup.added", "ms");
    return List.of(
        String.valueOf(classes * Sources.METHODS),
        rounded(pairs.without(Start::millis).median()),
        rounded(pairs.with(Start::millis).median()),
        rounded(added.value()),
        rounded(added.low()) + " – " + rounded(added.high()));
  }

  private static String rounded(double value) {
    return String.valueOf(Math.round(value));
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    }
  }
}
