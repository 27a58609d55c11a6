package io.weir.benchmarks.redis;

import io.weir.benchmarks.Report;
import io.weir.benchmarks.Samples;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Contenders that take turns in requests of callers that come often: 1,000 of them, from 8 threads.
 * The first of them is Weir, perhaps not the only one; its callers become hot before each round.
 *
 * <p>Confine to one thread.
 */
public final class HotRace {
  /** The number of threads that send requests at the same time. */
  public static final int THREADS = 8;

  /** The contender that the others are compared with; the names of all by Weir begin with it. */
  public static final String WEIR = "weir";

  private static final int CALLERS = 1_000;
  private static final int STEP = 100;

  private final Map<String, double[]> results = new LinkedHashMap<>();
  private final String[] callers =
      IntStream.range(0, CALLERS).mapToObj(i -> "caller-" + i).toArray(String[]::new);
  private final String figures;
  private final int rounds;
  private final int millis;
  private final long patienceNanos;
  private long heated;
  private long requests;
  private long exchanges;

  /**
   * Plans a race.
   *
   * @param figures the beginning of the names of its figures
   * @param rounds how often each has its turn
   * @param millis how long a turn lasts
   * @param patienceSeconds the longest time that callers get to become hot
   */
  public HotRace(String figures, int rounds, int millis, int patienceSeconds) {
    this.figures = figures;
    this.rounds = rounds;
    this.millis = millis;
    this.patienceNanos = patienceSeconds * 1_000_000_000L;
  }

  /** Returns the names of the figures that a race reports. */
  public static List<String> figures(String figures, Iterable<String> contenders) {
    List<String> all = new ArrayList<>(List.of(figures + ".exchanges_per_request"));
    for (String name : contenders) {
      all.add(figures + "." + name);
      if (!name.equals(WEIR)) {
        all.add(figures + ".vs_" + name);
      }
    }
    return all;
  }

  /** Races contenders, and closes them. */
  public void run(Map<String, Contender> contenders, Report report) throws Exception {
    report.progress(
        String.format(Locale.ROOT, "%s: %d callers, %d threads", figures, CALLERS, THREADS));
    contenders.forEach((name, contender) -> contender.prepare(names(name)));
    for (int i = -1; i < rounds; i++) {
      for (Map.Entry<String, Contender> each : contenders.entrySet()) {
        round(each.getKey(), each.getValue(), i, i < 0 ? 2L * millis : millis);
      }
    }
    contenders.values().forEach(Contender::close);
    tell(report);
  }

  /**
   * Lets callers come one after the other until all are hot. All at once, each of them waiting for
   * the store, would be too slow to earn leases; and eight threads ask no more before they are
   * answered. Before each round, since leases go back while the others have theirs.
   */
  private void heat(String name, Contender weir) throws Exception {
    long begin = System.nanoTime();
    int hot = STEP;
    while (hot <= CALLERS && System.nanoTime() - begin < patienceNanos) {
      long before = weir.exchanges();
      SaturatingLoad.Result result = race(name, weir, hot, 100);
      hot += weir.exchanges() - before < result.requests() / 20 ? STEP : 0;
    }
    heated = Math.max(heated, (System.nanoTime() - begin) / 1_000_000);
  }

  // A name for each contender, or they would read each other's buckets.
  private String[] names(String contender) {
    String[] names = new String[callers.length];
    for (int i = 0; i < names.length; i++) {
      names[i] = contender + "-" + callers[i];
    }
    return names;
  }

  private void round(String name, Contender contender, int round, long millis) throws Exception {
    if (name.startsWith(WEIR)) {
      heat(name, contender);
    }
    long before = contender.exchanges();
    SaturatingLoad.Result result = race(name, contender, CALLERS, millis);
    if (round >= 0) {
      results.computeIfAbsent(name, any -> new double[rounds])[round] = result.perSecond();
    }
    if (name.equals(WEIR) && round >= 0) {
      requests += result.requests();
      exchanges += contender.exchanges() - before;
    }
  }

  private SaturatingLoad.Result race(String name, Contender contender, int first, long millis)
      throws Exception {
    String[] names = names(name);
    return SaturatingLoad.run(
        THREADS,
        millis,
        thread -> {
          SplittableRandom random = new SplittableRandom(thread);
          return () -> contender.admits(names[random.nextInt(first)]);
        });
  }

  private void tell(Report report) {
    report.setting(figures, "callers hot after " + heated + " ms at the latest");
    Samples weir = samples(WEIR);
    for (String name : results.keySet()) {
      report.figure(figures + "." + name, samples(name), "per_s");
      if (!name.equals(WEIR)) {
        report.figure(figures + ".vs_" + name, weir.over(samples(name)), "x");
      }
    }
    report.figure(figures + ".exchanges_per_request", (double) exchanges / requests, "exchanges");
  }

  private Samples samples(String name) {
    return Samples.of(results.getOrDefault(name, new double[0]));
  }
}
