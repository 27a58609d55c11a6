package io.weir.benchmarks.postgres;

import io.weir.benchmarks.ProcessorTime;
import io.weir.benchmarks.redis.CallerStore;
import io.weir.compat.postgres.PostgresServer;
import io.weir.compat.redis.Distance;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A PostgreSQL whose disk is synced, in some surroundings, and one of its tables, which holds a row
 * for each caller.
 *
 * <p>Confine to one thread, but for its addresses.
 */
final class Database implements CallerStore {
  /**
   * The rows of Weir that aren't its own and aren't empty, nor over in a moment as those are with
   * which a node warms up.
   */
  static final String BUCKETS =
      "weir_buckets WHERE key >= '\\x01' AND length(state) > 0"
          + " AND expires_at > (extract(epoch FROM clock_timestamp()) + 10) * 1000000";

  private static final String NAME = "postgres";

  /** The time a tick of the kernel takes, in which it reports what ended processes have used. */
  private static final long TICK_NANOS = 10_000_000;

  private final PostgresServer server;
  private final Optional<Distance> distance;
  private final String callers;
  private final Connection connection;
  private final long pid;

  /**
   * Gives a server these surroundings.
   *
   * @param server one by {@link #server}, which isn't closed
   * @param callers the table of callers, with the condition for rows of callers if it has others
   */
  Database(PostgresServer server, Surroundings surroundings, String callers) {
    this.server = server;
    this.distance =
        surroundings.roundTrip().isZero()
            ? Optional.empty()
            : Optional.of(new Distance(server.port(), surroundings.roundTrip()));
    this.callers = callers;
    try {
      connection = PostgresServer.source(server.url(NAME)).getConnection();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    pid = number("SELECT split_part(pg_read_file('postmaster.pid'), chr(10), 1)");
    execute( // for connections that are opened from now on
        "ALTER DATABASE " + NAME + " SET synchronous_commit = " + surroundings.synchronousCommit());
  }

  /**
   * Starts a server.
   *
   * @param settings those that it has besides
   */
  static PostgresServer server(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("fsync", "on");
    return PostgresServer.start(PostgresServer.NEWEST, all);
  }

  /** Returns its address, at its distance. */
  String url() {
    int port = distance.map(Distance::port).orElseGet(server::port);
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + NAME + "?user=postgres";
  }

  /** Executes a statement without a result, near it. */
  void execute(String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private String text(String sql) {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private long number(String sql) {
    return Long.parseLong(text(sql));
  }

  @Override
  public void forgetCallers() {
    execute("DELETE FROM " + callers);
    vacuum();
  }

  /**
   * Picks some rows all over the table, for {@link #deletePicked}.
   *
   * @param oneOf how many rows there are for each that is picked
   * @return the number of picked rows
   */
  long pick(int oneOf) {
    execute(
        "CREATE TEMP TABLE picked AS SELECT ctid AS place FROM "
            + table()
            + " WHERE hashtext(ctid::text) % "
            + oneOf
            + " = 0");
    return number("SELECT count(*) FROM picked");
  }

  /** Deletes the rows that were picked, as a sweep does with expired ones. */
  void deletePicked() {
    execute("DELETE FROM " + table() + " WHERE ctid = ANY(ARRAY(SELECT place FROM picked))");
  }

  /** Removes what deleted rows have left, as autovacuum does. */
  void vacuum() {
    execute("VACUUM " + table());
  }

  private String table() {
    return callers.split(" ", 2)[0];
  }

  @Override
  public long callers() {
    return number("SELECT count(*) FROM " + callers);
  }

  /** Returns the size on disk with all indexes, in bytes. */
  long bytes() {
    return number("SELECT pg_total_relation_size('" + table() + "')");
  }

  /** Returns the number of bytes that were written to the log since the server was made. */
  long walBytes() {
    return number("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn");
  }

  @Override
  public long cpuNanos() {
    long nanos = nanosOfEnded();
    List<ProcessHandle> living = ProcessHandle.of(pid).orElseThrow().children().toList();
    for (ProcessHandle each : living) {
      nanos += nanosOf(each.pid());
    }
    return nanos + nanosOf(pid);
  }

  private static long nanosOf(long process) {
    try {
      return ProcessorTime.nanosOf(process);
    } catch (IOException e) {
      if (ProcessHandle.of(process).isPresent()) {
        throw new UncheckedIOException(e);
      }
      return 0; // it has ended
    }
  }

  /** Reads the 16th and 17th field of the process's state, which begins with pid and (name). */
  private long nanosOfEnded() {
    try {
      String state = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.US_ASCII);
      String[] fields = state.substring(state.lastIndexOf(')') + 2).split(" ");
      return (Long.parseLong(fields[13]) + Long.parseLong(fields[14])) * TICK_NANOS;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    distance.ifPresent(Distance::close);
  }
}
