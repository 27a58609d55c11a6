package io.weir.benchmarks.rules;

import io.weir.benchmarks.BenchmarkSuite;
import io.weir.benchmarks.Child;
import io.weir.benchmarks.Columns;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Libraries;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Measures rules in a database: per request, during changes, and with a million users. */
public final class RulesSuite implements BenchmarkSuite {
  private static final List<String> FLAGS = List.of("-Xms512m", "-Xmx1g");

  /** Makes it. */
  public RulesSuite() {}

  @Override
  public String name() {
    return "rules";
  }

  @Override
  public String about() {
    return "10,000 rules of 10 tiers in a database, beside the same limits by annotation and beside"
        + " none; requests while all rules are read again, beside a reload that does nothing; a"
        + " million users, of whom a part is kept"
        + " in memory; and the use of 100,000 callers on its way into the database.";
  }

  @Override
  public List<String> figures() {
    return List.of(
        "rules.annotated_ns",
        "rules.cached_ns",
        "rules.cached.added_ns",
        "rules.cached.added_cpu_ns",
        "rules.cached.bytes",
        "rules.cached.added_bytes",
        "rules.usage.added_ns",
        "rules.annotated_beside.added_ns",
        "rules.unmatched.added_ns",
        "rules.unmatched.bytes",
        "rules.reload.ms",
        "rules.reload.cpu_ms",
        "rules.reload.nothing_p99_us",
        "rules.reload.p99_us",
        "rules.reload.added_p99_us",
        "rules.change.cpu_ms",
        "rules.users.hits",
        "rules.users.lookup_p50_us",
        "rules.users.lookup_p99_us",
        "rules.users.bytes_per_caller",
        "rules.usage.written_ms",
        "rules.usage.dropped");
  }

  @Override
  public void run(Effort effort, Report report) throws Exception {
    int rules = effort.of(1_000, 10_000, 10_000);
    report.setting("rules", rules + " of 10 tiers");
    int callers = effort.of(500, 10_000, 10_000);
    report.setting("callers", callers + ", each with a bucket of its own in this process");
    requests(effort, report, rules, callers);
    reload(effort, report, rules);
    users(effort, report);
    usage(effort, report);
  }

  /** One kind of request, the JVM that sends it, and the figures that it reported. */
  private record Measured(LimitKind kind, Child child, Columns told) {}

  private static void requests(Effort effort, Report report, int rules, int callers)
      throws IOException {
    int rounds = effort.of(1, 5, 15);
    String millis = "" + effort.of(100, 400, 1_000);
    List<Measured> all = new ArrayList<>();
    try {
      for (LimitKind each : LimitKind.values()) {
        report.progress("starting " + each);
        Child child = started(RequestsChild.class, each.name(), "" + rules, "" + callers);
        all.add(new Measured(each, child, new Columns()));
        child.hear();
      }
      for (int round = -effort.of(0, 3, 10); round < rounds; round++) {
        for (Measured each : all) {
          String line = each.child.ask(millis);
          report.progress((round < 0 ? "warming up: " : "") + each.kind + " " + line);
          if (round >= 0) {
            each.told.add(line);
          }
        }
      }
    } finally {
      all.forEach(each -> each.child.close());
    }
    tell(report, all);
  }

  private static Columns of(LimitKind kind, List<Measured> all) {
    return all.stream().filter(each -> each.kind == kind).findFirst().orElseThrow().told;
  }

  private static void tell(Report report, List<Measured> all) {
    Columns annotated = of(LimitKind.ANNOTATED, all);
    Columns rule = of(LimitKind.RULE, all);
    report.figure("rules.annotated_ns", annotated.column(0), "ns");
    report.figure("rules.cached_ns", rule.column(0), "ns");
    report.figure("rules.cached.added_ns", rule.column(0).minus(annotated.column(0)), "ns");
    report.figure("rules.cached.added_cpu_ns", rule.column(1).minus(annotated.column(1)), "ns");
    report.figure("rules.cached.bytes", rule.column(2), "B");
    report.figure("rules.cached.added_bytes", rule.column(2).minus(annotated.column(2)), "B");
    report.figure(
        "rules.usage.added_ns",
        of(LimitKind.RULE_AND_USAGE, all).column(0).minus(rule.column(0)),
        "ns");
    report.figure(
        "rules.annotated_beside.added_ns",
        of(LimitKind.ANNOTATED_BESIDE_RULES, all).column(0).minus(annotated.column(0)),
        "ns");
    Columns without = of(LimitKind.NO_RULE, all);
    report.figure(
        "rules.unmatched.added_ns",
        without.column(0).minus(of(LimitKind.NOTHING, all).column(0)),
        "ns");
    report.figure("rules.unmatched.bytes", without.column(2), "B");
    List<List<String>> rows = new ArrayList<>();
    for (Measured each : all) {
      rows.add(
          List.of(
              each.kind.toString(),
              form("%.0f", each.told.column(0).median()),
              form("%.0f", each.told.column(1).median()),
              form("%.0f", each.told.column(2).median())));
    }
    report.table(
        new Table(
            "A request by what limits it",
            List.of("limited by", "ns", "ns of the processor", "B"),
            rows));
  }

  private static String form(String form, double number) {
    return String.format(Locale.ROOT, form, number);
  }

  private static void reload(Effort effort, Report report, int rules) throws IOException {
    Columns told = reloads(effort, report, rules, rules);
    report.figure("rules.reload.ms", told.column(2), "ms");
    report.figure("rules.reload.cpu_ms", told.column(3), "ms");
    report.figure("rules.reload.nothing_p99_us", told.column(0), "us");
    report.figure("rules.reload.p99_us", told.column(1), "us");
    report.figure("rules.reload.added_p99_us", told.column(1).minus(told.column(0)), "us");
    report.figure("rules.change.cpu_ms", reloads(effort, report, rules, 1).column(3), "ms");
  }

  private static Columns reloads(Effort effort, Report report, int rules, int changed)
      throws IOException {
    int rounds = effort.of(1, 5, 15);
    report.progress("reading " + changed + " of " + rules + " rules again");
    Columns told = new Columns();
    try (Child child = started(ReloadChild.class, "" + rules, "" + rounds, "" + changed)) {
      for (int round = 0; round < rounds; round++) {
        String line = child.hear();
        report.progress("p99 us beside nothing, p99 us, reload ms, cpu ms: " + line);
        told.add(line);
      }
    }
    return told;
  }

  private static void users(Effort effort, Report report) throws IOException {
    int users = effort.of(2_000, 100_000, 1_000_000);
    int kept = users / 10;
    int requests = effort.of(2_000, 50_000, 1_000_000);
    report.setting("users", users + " in PostgreSQL, " + kept + " kept, Zipf 0.99");
    report.progress("adding " + users + " users");
    Columns told = new Columns();
    try (Child child = started(UsersChild.class, "" + users, "" + kept, "" + requests)) {
      told.add(child.hear());
    }
    report.figure("rules.users.hits", told.column(0), "percent");
    report.figure("rules.users.lookup_p50_us", told.column(1), "us");
    report.figure("rules.users.lookup_p99_us", told.column(2), "us");
    report.figure("rules.users.bytes_per_caller", told.column(3), "B");
  }

  private static void usage(Effort effort, Report report) throws IOException {
    int callers = effort.of(1_000, 20_000, 100_000);
    int rounds = effort.of(1, 3, 10);
    report.setting("usage", callers + " callers, a request of each");
    report.progress("writing the usage of " + callers + " callers");
    Columns told = new Columns();
    try (Child child = started(UsageChild.class, "" + callers, "" + rounds)) {
      for (int round = 0; round < rounds; round++) {
        String line = child.hear();
        report.progress("ms until written, dropped: " + line);
        told.add(line);
      }
    }
    report.figure("rules.usage.written_ms", told.column(0), "ms");
    report.figure("rules.usage.dropped", told.column(1), "requests");
  }

  private static Child started(Class<?> main, String... arguments) throws IOException {
    return Child.start(FLAGS, Libraries.classPath(), main, arguments);
  }
}
