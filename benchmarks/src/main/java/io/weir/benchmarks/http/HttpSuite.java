package io.weir.benchmarks.http;

import io.weir.benchmarks.BenchmarkSuite;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Samples;
import io.weir.benchmarks.Table;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Measures a request of a web server with and without Weir, admitted and refused. */
public final class HttpSuite implements BenchmarkSuite {
  private final List<List<String>> rows = new ArrayList<>();

  /** A suite that has run nothing yet. */
  public HttpSuite() {}

  @Override
  public String name() {
    return "http";
  }

  @Override
  public String about() {
    return "CPU time and bytes that Weir adds to a request of Tomcat, Jetty and Jersey: admitted,"
        + " with the standard's header fields alone, by one of 1,000 rules with use counted, and"
        + " refused; throughput and p99 with Weir against without.";
  }

  @Override
  public List<String> figures() {
    List<String> names = new ArrayList<>();
    for (Server server : Server.values()) {
      for (String what :
          List.of(
              "cpu_added_us",
              "cpu_added_vs_free",
              "bytes_added",
              "ietf.cpu_added_vs_free",
              "ietf.bytes_added",
              "rules.cpu_more_us",
              "rules.bytes_more",
              "refused_vs_admitted",
              "refused_bytes",
              "throughput_ratio",
              "p99_added_us")) {
        names.add(name(server, what));
      }
    }
    return names;
  }

  @Override
  public void run(Effort effort, Report report) throws Exception {
    rows.clear();
    report.setting(
        "server",
        "a process of its own, its five paths in turns, processor time read from outside; a sample"
            + " is one process");
    report.setting(
        "policy",
        "@RateLimit by IP, HARD, SLIDING_WINDOW, in process, both families of fields but for ietf;"
            + " rules: 1,001 in H2 in memory, of which one holds, by user");
    report.setting("metrics", "Micrometer's global registry, which has no other behind it");
    report.setting(
        "load",
        "a process of its own, "
            + ClientMain.CONNECTIONS
            + " connections that stay open, on each one request after the other");
    Path directory = Files.createTempDirectory("weir-benchmarks");
    try {
      for (Server server : Server.values()) {
        compare(server, directory, effort, report);
      }
    } finally {
      delete(directory);
    }
    report.table(
        new Table(
            "A request without Weir, admitted and refused",
            List.of("server", "measured", "free", "admitted", "ietf", "rules", "refused"),
            List.copyOf(rows)));
  }

  private void compare(Server server, Path directory, Effort effort, Report report)
      throws IOException {
    report.progress(server + " without Weir, admitted and refused");
    Comparison comparison = new Comparison(server, directory, effort);
    Measured measured = comparison.run();
    Telling telling = new Telling(report, effort, comparison.isWarm());
    Samples cpu = measured.added(HttpLoad.ADMITTED, Round::cpuMicros);
    Samples free = measured.of(HttpLoad.FREE, Round::cpuMicros);
    telling.figure(name(server, "cpu_added_us"), cpu, "us");
    telling.figure(name(server, "cpu_added_vs_free"), cpu.over(free), "x");
    telling.figure(
        name(server, "bytes_added"), measured.added(HttpLoad.ADMITTED, Round::bytes), "B");
    telling.figure(
        name(server, "ietf.cpu_added_vs_free"),
        measured.added(HttpLoad.IETF, Round::cpuMicros).over(free),
        "x");
    telling.figure(
        name(server, "ietf.bytes_added"), measured.added(HttpLoad.IETF, Round::bytes), "B");
    telling.figure(name(server, "rules.cpu_more_us"), more(measured, Round::cpuMicros), "us");
    telling.figure(name(server, "rules.bytes_more"), more(measured, Round::bytes), "B");
    telling.figure(
        name(server, "refused_vs_admitted"),
        measured.added(HttpLoad.REFUSED, Round::cpuMicros).over(cpu),
        "x");
    telling.figure(
        name(server, "refused_bytes"), measured.added(HttpLoad.REFUSED, Round::bytes), "B");
    telling.figure(
        name(server, "throughput_ratio"),
        measured
            .of(HttpLoad.ADMITTED, Round::perSecond)
            .over(measured.of(HttpLoad.FREE, Round::perSecond)),
        "x");
    telling.figure(
        name(server, "p99_added_us"), measured.added(HttpLoad.ADMITTED, Round::p99Micros), "us");
    if (telling.tellsAny()) {
      row(server, "CPU, µs", measured, Round::cpuMicros);
      row(server, "bytes", measured, Round::bytes);
      row(server, "requests/s", measured, Round::perSecond);
      row(server, "p99, µs", measured, Round::p99Micros);
    }
  }

  /** What rules and use cost beside an annotation, both with all header fields. */
  private static Samples more(Measured measured, ToDoubleFunction<Round> what) {
    return measured.of(HttpLoad.RULES, what).minus(measured.of(HttpLoad.ADMITTED, what));
  }

  private void row(Server server, String unit, Measured measured, ToDoubleFunction<Round> what) {
    rows.add(
        List.of(
            lower(server),
            unit,
            text(measured.of(HttpLoad.FREE, what)),
            text(measured.of(HttpLoad.ADMITTED, what)),
            text(measured.of(HttpLoad.IETF, what)),
            text(measured.of(HttpLoad.RULES, what)),
            text(measured.of(HttpLoad.REFUSED, what))));
  }

  private static String text(Samples samples) {
    return number(samples.median())
        + " ("
        + number(samples.low())
        + " – "
        + number(samples.high())
        + ")";
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, Math.abs(value) < 1_000 ? "%.2f" : "%.0f", value);
  }

  private static String name(Server server, String what) {
    return "http." + lower(server) + "." + what;
  }

  private static String lower(Server server) {
    return server.name().toLowerCase(Locale.ROOT);
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    }
  }
}
