package io.weir.benchmarks.postgres;

import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Table;
import io.weir.benchmarks.redis.Contender;
import io.weir.compat.postgres.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * Many callers with a bucket each: what they take on disk, and what it costs to delete some of them
 * and to vacuum the table. Autovacuum is off meanwhile, and no checkpoint comes between.
 */
final class Upkeep {
  private static final Map<String, String> SETTINGS =
      Map.of("autovacuum", "off", "max_wal_size", "16GB", "checkpoint_timeout", "1h");
  private static final int THREADS = 32;

  /** So many rows for each that is deleted: autovacuum comes to Weir's table after 5 percent. */
  private static final int ROWS_OF_DELETED = 20;

  private static final long LIMIT = 100;

  /** So long that no bucket expires meanwhile. */
  private static final Duration WINDOW = Duration.ofDays(1);

  private Upkeep() {}

  static List<String> figures() {
    return List.of(
        "postgres.size.bytes_per_bucket",
        "postgres.size.upsert_bytes_per_bucket",
        "postgres.vacuum.cpu_percent",
        "postgres.vacuum.wal_percent");
  }

  /** The use of processors and of the log so far. */
  private record Use(long cpuNanos, long walBytes) {
    static Use of(Database database) {
      return new Use(database.cpuNanos(), database.walBytes());
    }

    Use since(Use before) {
      return new Use(cpuNanos - before.cpuNanos, walBytes - before.walBytes);
    }

    Costs of(long rows) {
      return new Costs(cpuNanos / 1e3 / rows, (double) walBytes / rows);
    }
  }

  /** The use of processors in microseconds and of the log in bytes, for a row. */
  private record Costs(double cpuMicros, double walBytes) {}

  /** The results for one contender. */
  private record Kept(long bytes, Costs counting, Costs deleting, Costs vacuuming) {}

  static void run(Effort effort, Report report) throws Exception {
    int callers = effort.of(500, 20_000, 1_000_000);
    Surroundings surroundings = Surroundings.ASYNCHRONOUS;
    report.progress("the table of " + callers + " callers");
    Kept weir =
        kept(
            Database.BUCKETS,
            database -> WeirOnPostgres.node(database, surroundings, LIMIT, WINDOW),
            callers);
    Kept upsert = kept(Upsert.TABLE, database -> new Upsert(database, LIMIT), callers);
    report.figure("postgres.size.bytes_per_bucket", (double) weir.bytes / callers, "B");
    report.figure("postgres.size.upsert_bytes_per_bucket", (double) upsert.bytes / callers, "B");
    report.figure(
        "postgres.vacuum.cpu_percent",
        100.0 * weir.vacuuming.cpuMicros / weir.counting.cpuMicros,
        "percent");
    report.figure(
        "postgres.vacuum.wal_percent",
        100.0 * weir.vacuuming.walBytes / weir.counting.walBytes,
        "percent");
    report.table(
        new Table(
            "The table of " + callers + " callers who came once, and the costs of each row",
            List.of(
                "contender",
                "MB on disk",
                "CPU of the server: counted, µs",
                "deleted, µs",
                "vacuumed, µs",
                "WAL: counted, B",
                "deleted, B",
                "vacuumed, B"),
            List.of(row("Weir on PostgreSQL", weir), row("INSERT … ON CONFLICT", upsert))));
  }

  private static List<String> row(String name, Kept kept) {
    List<String> row = new ArrayList<>(List.of(name, text("%.1f", kept.bytes / 1e6)));
    List<Costs> costs = List.of(kept.counting, kept.deleting, kept.vacuuming);
    costs.forEach(each -> row.add(text("%.1f", each.cpuMicros)));
    costs.forEach(each -> row.add(text("%.0f", each.walBytes)));
    return row;
  }

  private static String text(String format, double number) {
    return String.format(Locale.ROOT, format, number);
  }

  private static Kept kept(String rows, Function<Database, Contender> maker, int callers)
      throws Exception {
    try (PostgresServer server = Database.server(SETTINGS);
        Database database = new Database(server, Surroundings.ASYNCHRONOUS, rows)) {
      Use before;
      try (Contender contender = maker.apply(database)) {
        contender.admits("first");
        before = Use.of(database);
        come(contender, callers);
      }
      Use counted = Use.of(database);
      long bytes = database.bytes();
      if (database.callers() != callers + 1) {
        throw new IllegalStateException("of " + callers + " callers it has " + database.callers());
      }
      Use counting = counted.since(before);
      database.vacuum(); // so that the next one has only the deleted rows to do
      long deletedRows = database.pick(ROWS_OF_DELETED);
      before = Use.of(database);
      database.deletePicked();
      Use deleted = Use.of(database);
      database.vacuum();
      Use vacuumed = Use.of(database);
      return new Kept(
          bytes,
          counting.of(callers),
          deleted.since(before).of(deletedRows),
          vacuumed.since(deleted).of(deletedRows));
    }
  }

  private static void come(Contender contender, int callers) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<?>> parts = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int first = i;
      parts.add(
          threads.submit(
              () -> {
                for (int caller = first; caller < callers; caller += THREADS) {
                  if (!contender.admits("caller-" + caller)) {
                    throw new IllegalStateException("a new caller is refused");
                  }
                }
              }));
    }
    for (Future<?> each : parts) {
      each.get();
    }
    threads.shutdown();
  }
}
