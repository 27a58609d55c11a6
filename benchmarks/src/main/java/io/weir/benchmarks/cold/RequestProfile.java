package io.weir.benchmarks.cold;

import io.weir.benchmarks.Child;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Table;
import io.weir.compat.redis.RedisServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The profile of one cold request on one thread: threads that sleep, objects, and system calls.
 * Each contender has a JVM of its own, with a young generation so large that no collection happens,
 * and without local buffers, whose ends would count as objects.
 *
 * <p>Immutable.
 *
 * @param threads how many threads go to sleep for a request
 * @param switches how often they do together
 * @param objects what is made for a request, by class; a count isn't rounded
 * @param calls system calls of a request, by name; empty if they couldn't be counted
 */
record RequestProfile(int threads, double switches, List<Made> objects, Map<String, Double> calls) {
  private static final List<String> FLAGS =
      List.of("-XX:+UseSerialGC", "-XX:-UseTLAB", "-Xms1g", "-Xmn768m");
  private static final List<String> CONTENDERS =
      List.of("SLIDING_WINDOW", "FIXED_WINDOW", ProfileChild.SCRIPT);

  /** Less often than for one request in ten is for something else. */
  private static final double PART = 0.1;

  private static final int MAX_CLASSES = 25;

  /** The number of objects of a class per request. */
  private record Made(String name, double count, double bytes) {}

  static List<String> figures() {
    return List.of("cold.profile.threads", "cold.profile.switches", "cold.profile.objects");
  }

  static void run(Effort effort, Report report) throws Exception {
    report.progress("the profile of a request");
    Map<String, RequestProfile> profiles = new LinkedHashMap<>();
    for (String contender : CONTENDERS) {
      profiles.put(contender, of(contender, effort));
    }
    RequestProfile weir = Objects.requireNonNull(profiles.get(CONTENDERS.get(0)));
    report.figure("cold.profile.threads", weir.threads, "threads");
    report.figure("cold.profile.switches", weir.switches, "switches");
    report.figure("cold.profile.objects", weir.made(), "objects");
    report.table(table(profiles));
    report.table(
        new Table(
            "What is made most often for a request, SLIDING_WINDOW",
            List.of("class", "of each", "bytes"),
            weir.objects.stream()
                .limit(MAX_CLASSES)
                .map(made -> List.of("`" + made.name + "`", text(made.count), text(made.bytes)))
                .toList()));
  }

  private static RequestProfile of(String contender, Effort effort) throws Exception {
    int requests = effort.of(200, 5_000, 20_000);
    String warmUpMillis = "" + effort.of(100, 3_000, 10_000);
    try (RedisServer redis = RedisServer.start();
        Child child =
            Child.start(FLAGS, ProfileChild.class, contender, "" + redis.port(), warmUpMillis)) {
      child.hear();
      String[] words = child.ask("switches " + requests).split(" ");
      child.hear();
      List<Made> objects = objects(child, requests);
      Map<String, Long> calls = Strace.calls(child.pid(), () -> child.ask("ask " + requests / 10));
      Map<String, Double> each = new TreeMap<>();
      calls.forEach((name, count) -> each.put(name, count / (requests / 10.0)));
      each.values().removeIf(count -> count < PART);
      return new RequestProfile(
          Integer.parseInt(words[0]), Double.parseDouble(words[1]), objects, each);
    }
  }

  private static List<Made> objects(Child child, int requests) throws IOException {
    List<Made> objects = new ArrayList<>();
    child.say("objects " + requests);
    for (String line = child.hear(); !line.isEmpty(); line = child.hear()) {
      String[] words = line.split(" ");
      objects.add(
          new Made(
              words[0].replaceFirst("/0x.*", ""),
              Double.parseDouble(words[1]),
              Double.parseDouble(words[2])));
    }
    child.hear();
    return objects.stream()
        .filter(made -> made.count >= PART)
        .sorted(Comparator.comparingDouble(Made::count).reversed().thenComparing(Made::name))
        .toList();
  }

  private double made() {
    return objects.stream().mapToDouble(Made::count).sum();
  }

  private static Table table(Map<String, RequestProfile> profiles) {
    List<String> columns = new ArrayList<>(List.of("of one request"));
    columns.addAll(profiles.keySet());
    List<List<String>> rows = new ArrayList<>();
    rows.add(row("threads that sleep for it", profiles, each -> "" + each.threads));
    rows.add(row("how often they do", profiles, each -> text(each.switches)));
    rows.add(row("objects", profiles, each -> text(each.made())));
    rows.add(row("bytes of them", profiles, each -> text(each.bytes())));
    for (String call : callsOf(profiles)) {
      rows.add(
          row(
              "system call `" + call + "`",
              profiles,
              each -> text(each.calls.getOrDefault(call, 0.0))));
    }
    return new Table("The profile of one cold request, one thread", columns, rows);
  }

  private static TreeSet<String> callsOf(Map<String, RequestProfile> profiles) {
    return profiles.values().stream()
        .flatMap(each -> each.calls.keySet().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<String> row(
      String what, Map<String, RequestProfile> profiles, Function<RequestProfile, String> cell) {
    List<String> row = new ArrayList<>(List.of(what));
    profiles.values().forEach(each -> row.add(cell.apply(each)));
    return row;
  }

  private static String text(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }

  private double bytes() {
    return objects.stream().mapToDouble(Made::bytes).sum();
  }
}
