package io.weir.benchmarks.startup;

import io.weir.benchmarks.BenchmarkSuite;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Figure;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Samples;
import io.weir.benchmarks.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Starts an application of 1,000 annotated resource methods with Weir and without, in pairs of
 * fresh JVMs.
 *
 * <p>Confine to one thread.
 */
public final class StartupSuite implements BenchmarkSuite {
  private static final int CLASSES = 100;
  private static final int FEW = 1;

  /** The libraries that the README's setup doesn't need. */
  private static final String MICROMETER = "micrometer";

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
      return String.format(
          Locale.ROOT,
          "%d methods: %.0f ms with, %.0f ms without",
          methods,
          with.get(last).millis(),
          without.get(last).millis());
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
      ClassPath all = ClassPath.of(made);
      Scene plain = new Scene(all.without(MICROMETER), made, scratch, report);
      Scene measured = new Scene(all.without(""), made, scratch, report);
      Pairs many = plain.pairs(effort.of(1, 4, 6), CLASSES);
      tell(many, report);
      if (effort != Effort.TINY) {
        Pairs few = plain.pairs(effort.of(1, 2, 2), FEW);
        Pairs withMeters = measured.pairs(effort.of(1, 1, 3), CLASSES);
        report.table(growth(few, many, withMeters));
      }
    } finally {
      delete(scratch);
    }
  }

  /** A class path, and where all is kept that is needed meanwhile. */
  private record Scene(String libraries, Path made, Path scratch, Report report) {
    Pairs pairs(int rounds, int classes) throws IOException {
      Pairs pairs = new Pairs(new ArrayList<>(), new ArrayList<>());
      int first = rounds == 1 ? 0 : -1; // one that isn't counted, to have all files in memory
      for (int round = first; round < rounds; round++) {
        // In turns, so that neither is always the one after the other.
        boolean limitedFirst = round % 2 == 0;
        Start one = Start.of(limitedFirst, libraries, classes, made, scratch);
        Start other = Start.of(!limitedFirst, libraries, classes, made, scratch);
        if (round >= 0) {
          pairs.with.add(limitedFirst ? one : other);
          pairs.without.add(limitedFirst ? other : one);
          report.progress(pairs.last(classes * Sources.METHODS));
        }
      }
      return pairs;
    }
  }

  private static void tell(Pairs pairs, Report report) {
    report.setting("methods", CLASSES * Sources.METHODS);
    report.setting("pairs of JVMs", pairs.with.size());
    report.setting("store", "in process");
    report.setting("class path", "the benchmarks', without Micrometer unless a row says so");
    report.figure("startup.without_ms", pairs.without(Start::millis), "ms");
    report.figure("startup.with_ms", pairs.with(Start::millis), "ms");
    report.figure("startup.added_ms", pairs.added(Start::millis), "ms");
    report.figure("startup.added_cpu_ms", pairs.added(Start::cpuMillis), "ms");
  }

  private static Table growth(Pairs few, Pairs many, Pairs withMeters) {
    return new Table(
        "What a start takes longer, against the number of annotated methods",
        List.of("methods", "without, ms", "with, ms", "added, ms", "spread"),
        List.of(
            row(methods(FEW), few),
            row(methods(CLASSES), many),
            row(methods(CLASSES) + ", Micrometer on the class path", withMeters)));
  }

  private static String methods(int classes) {
    return String.valueOf(classes * Sources.METHODS);
  }

  private static List<String> row(String methods, Pairs pairs) {
    Figure added = pairs.added(Start::millis).figure("startup.added", "ms");
    return List.of(
        methods,
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
