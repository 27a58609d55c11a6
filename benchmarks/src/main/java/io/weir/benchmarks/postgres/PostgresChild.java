package io.weir.benchmarks.postgres;

import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.ReportLines;
import io.weir.benchmarks.slow.SlowLoads;
import io.weir.compat.postgres.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A JVM with weir-postgres, in which all of the suite is measured. */
public final class PostgresChild {
  private static final SlowLoads SLOW =
      new SlowLoads("postgres.slow", new int[] {100}, new int[] {1, 3}, new int[] {20, 80});

  private PostgresChild() {}

  /**
   * Prints what happens, and then the report.
   *
   * @param args the effort
   */
  public static void main(String[] args) {
    try {
      Report report = new Report(System.out);
      run(Effort.valueOf(args[0]), report);
      ReportLines.print(report, System.out);
      System.exit(0);
    } catch (Exception | Error failure) {
      failure.printStackTrace();
      System.exit(1); // whatever threads the contenders have left behind
    }
  }

  static List<String> figures() {
    List<String> all = new ArrayList<>();
    all.addAll(HotCallers.figures());
    all.addAll(NewCallers.figures());
    all.addAll(SLOW.figures());
    all.addAll(Upkeep.figures());
    return all;
  }

  private static void run(Effort effort, Report report) throws Exception {
    report.setting("postgres", "fsync on; on this machine, over TCP; it shares the cores");
    report.setting("connections", Pool.CONNECTIONS + " for each contender");
    try (PostgresServer buckets = Database.server(Map.of());
        PostgresServer byHand = Database.server(Map.of())) {
      report.table(WaitsFarAway.table(buckets, effort));
      for (Surroundings each : Surroundings.values()) {
        if (effort == Effort.QUICK && each != Surroundings.ASYNCHRONOUS) {
          report.untold(each.figures(), "a minute is too short for it");
        } else {
          report.progress(each.toString());
          race(buckets, byHand, each, effort, report);
        }
      }
      try (Database database = new Database(buckets, Surroundings.ASYNCHRONOUS, Database.BUCKETS)) {
        HotCallers.runThreeNodes(database, effort, report);
        SLOW.run(database.url(), effort, report);
      }
    }
    Upkeep.run(effort, report);
  }

  private static void race(
      PostgresServer bucketServer,
      PostgresServer server,
      Surroundings surroundings,
      Effort effort,
      Report report)
      throws Exception {
    Database buckets = new Database(bucketServer, surroundings, Database.BUCKETS);
    Database byHand = new Database(server, surroundings, Upsert.TABLE);
    HotCallers.run(buckets, surroundings, effort, report);
    NewCallers.run(buckets, byHand, surroundings, effort, report);
  }
}
