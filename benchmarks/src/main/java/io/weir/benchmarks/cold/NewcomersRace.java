package io.weir.benchmarks.cold;

import io.weir.benchmarks.Report;
import io.weir.benchmarks.Table;
import io.weir.benchmarks.redis.Newcomers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Contenders that take turns in requests of new callers, from few threads and from many.
 *
 * <p>Confine to one thread.
 */
public final class NewcomersRace {
  private final Report report;
  private final int rounds;
  private final int millis;
  private final int warmUpSeconds;
  private final int[] threads;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * Plans a race.
   *
   * @param rounds how often each has its turn with a number of threads, after one to warm up
   * @param millis how long a turn lasts
   * @param warmUpSeconds how long all take turns before
   * @param threads the numbers of threads
   */
  public NewcomersRace(Report report, int rounds, int millis, int warmUpSeconds, int... threads) {
    this.report = report;
    this.rounds = rounds;
    this.millis = millis;
    this.warmUpSeconds = warmUpSeconds;
    this.threads = threads.clone();
  }

  /** Reports the figures of one number of threads. */
  public interface Telling {
    /** Reports them, given the costs of the contenders in their order. */
    void tell(int threads, List<Costs> costs);
  }

  /** Races contenders by name, and reports a table of them besides. */
  public void run(String title, Map<String, Newcomers> contenders, Telling telling)
      throws Exception {
    warmUp(contenders.values());
    for (int each : threads) {
      report.progress("a new caller each request, threads: " + each);
      List<Costs> costs = race(List.copyOf(contenders.values()), each);
      telling.tell(each, costs);
      int contender = 0;
      for (String name : contenders.keySet()) {
        rows.add(costs.get(contender++).row(each, name));
      }
    }
    report.table(new Table(title, Costs.COLUMNS, rows));
  }

  private void warmUp(Collection<Newcomers> all) throws Exception {
    report.progress("warming up for " + warmUpSeconds + " s");
    long until = System.nanoTime() + warmUpSeconds * 1_000_000_000L;
    for (int i = 0; System.nanoTime() < until; i++) {
      for (Newcomers each : all) {
        each.round(threads[i % threads.length], millis);
      }
    }
  }

  private List<Costs> race(List<Newcomers> all, int number) throws Exception {
    List<Costs> costs = new ArrayList<>();
    all.forEach(any -> costs.add(new Costs(rounds)));
    for (int round = warmUpSeconds > 0 ? -1 : 0; round < rounds; round++) {
      for (int i = 0; i < all.size(); i++) {
        Newcomers.Round came = all.get(i).round(number, millis);
        if (round >= 0) {
          costs.get(i).note(round, came);
        }
      }
    }
    return costs;
  }
}
