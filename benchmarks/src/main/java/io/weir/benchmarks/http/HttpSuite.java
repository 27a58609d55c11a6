package io.weir.benchmarks.http;

import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Samples;
import io.weir.benchmarks.Suite;
import io.weir.benchmarks.Table;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What a request of a web server costs with Weir and without. */
public final class HttpSuite implements Suite {
  private static final String REFUSED = "http.tomcat.refused_cpu_us";

  private final List<List<String>> rows = new ArrayList<>();

  /** A suite that has run nothing yet. */
  public HttpSuite() {}

  @Override
  public String name() {
    return "http";
  }

  @Override
  public String about() {
    return "CPU time and bytes that Weir adds to a request of Tomcat, Jetty and Jersey, throughput"
        + " and p99 with Weir against without.";
  }

  @Override
  public List<String> figures() {
    List<String> names = new ArrayList<>();
    for (Server server : Server.values()) {
      for (String what :
          List.of("cpu_added_us", "bytes_added", "throughput_ratio", "p99_added_us")) {
        names.add(name(server, what));
      }
    }
    names.add(REFUSED);
    return names;
  }

  @Override
  public void run(Effort effort, Report report) throws Exception {
    rows.clear();
    report.setting("server", "a process of its own with Weir and one without, rounds in turns");
    report.setting(
        "policy", "@RateLimit by IP, HARD, SLIDING_WINDOW, in process, both families of fields");
    report.setting("metrics", "Micrometer's global registry, which has no other behind it");
    report.setting(
        "load",
        Load.CONNECTIONS
            + " connections that stay open, one client thread; CPU time and bytes with "
            + Load.PIPELINED.inOneGo()
            + " requests in one go, throughput and p99 one by one");
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
            "A request, by server and load",
            List.of("server", "load", "measured", "without", "with", "added"),
            List.copyOf(rows)));
  }

  private void compare(Server server, Path directory, Effort effort, Report report)
      throws IOException {
    report.progress(server + " with Weir and without");
    Comparison comparison = new Comparison(server, directory, effort);
    comparison.run();
    Telling telling = new Telling(report, effort, comparison.isWarm());
    Rounds one = comparison.oneByOne;
    Rounds pipelined = comparison.pipelined;
    telling.figure(name(server, "cpu_added_us"), pipelined.added(Round::cpuMicros), "us");
    telling.figure(name(server, "bytes_added"), pipelined.added(Round::bytes), "B");
    telling.figure(name(server, "throughput_ratio"), one.ratio(Round::perSecond), "x");
    telling.figure(name(server, "p99_added_us"), one.added(Round::p99Micros), "us");
    boolean tells = telling.tellsAny();
    if (tells) {
      rows(server, "one by one", one);
      rows(server, "pipelined", pipelined);
    }
    if (server == Server.TOMCAT) {
      telling.figure(REFUSED, comparison.refused.with(Round::cpuMicros), "us");
      if (tells) {
        rows(server, "pipelined, refused", comparison.refused);
      }
    }
  }

  private void rows(Server server, String load, Rounds rounds) {
    String name = lower(server);
    rows.add(
        row(
            name,
            load,
            "CPU, µs",
            rounds.without(Round::cpuMicros),
            rounds.with(Round::cpuMicros)));
    rows.add(row(name, load, "bytes", rounds.without(Round::bytes), rounds.with(Round::bytes)));
    rows.add(
        row(
            name,
            load,
            "requests/s",
            rounds.without(Round::perSecond),
            rounds.with(Round::perSecond)));
    rows.add(
        row(
            name,
            load,
            "p99, µs",
            rounds.without(Round::p99Micros),
            rounds.with(Round::p99Micros)));
  }

  private static List<String> row(
      String server, String load, String what, Samples without, Samples with) {
    return List.of(server, load, what, text(without), text(with), text(with.minus(without)));
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
