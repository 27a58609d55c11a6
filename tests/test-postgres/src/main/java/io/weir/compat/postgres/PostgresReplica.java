package io.weir.compat.postgres;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A standby that follows a primary by streaming replication, and may be read.
 *
 * <p>Confine to one thread.
 */
public final class PostgresReplica implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final String DELAY = "recovery_min_apply_delay";
  private static final String PRIMARY = "primary_conninfo";

  private final PostgresServer primary;
  private final PostgresServer server;

  private PostgresReplica(PostgresServer primary, PostgresServer server) {
    this.primary = primary;
    this.server = server;
  }

  /**
   * Starts a standby from a copy of the primary's files, and waits until it follows.
   *
   * @param primary a running server, which stands still meanwhile
   * @return a replica that the caller closes
   */
  public static PostgresReplica of(PostgresServer primary) {
    PostgresServer server =
        primary.twin(
            data -> {
              DataDirectory.write(data.resolve("standby.signal"));
              DataDirectory.write(
                  data.resolve("postgresql.auto.conf"), PRIMARY + " = '" + conninfo(primary) + "'");
            });
    PostgresReplica replica = new PostgresReplica(primary, server);
    replica.awaitCaughtUp();
    return replica;
  }

  private static String conninfo(PostgresServer primary) {
    return "host=127.0.0.1 port=" + primary.port() + " user=postgres application_name=replica";
  }

  /**
   * Returns its server: its address, its port, and whatever can go wrong with any server.
   *
   * @return the standby
   */
  public PostgresServer server() {
    return server;
  }

  /** Waits until it has applied all that the primary has committed until now. */
  public void awaitCaughtUp() {
    String url = primary.url("postgres");
    Sql.execute(
        url, "SELECT pg_logical_emit_message(true, 'weir', '')"); // flushes what is before it
    String written = Sql.ask(url, "SELECT pg_current_wal_flush_lsn()");
    await("SELECT coalesce(pg_last_wal_replay_lsn() >= '" + written + "', false)");
  }

  private void await(String condition) {
    long start = System.nanoTime();
    while (!Sql.ask(server.url("postgres"), condition).equals("t")) {
      if (System.nanoTime() - start > PATIENCE.toNanos()) {
        throw new AssertionError("the replica didn't reach this in time: " + condition);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Goes on receiving, but applies nothing any more: it lags until {@link #resume}. */
  public void pause() {
    Sql.execute(server.url("postgres"), "SELECT pg_wal_replay_pause()");
    await("SELECT pg_get_wal_replay_pause_state() = 'paused'");
  }

  /** Applies what it has received, after {@link #pause}. */
  public void resume() {
    Sql.execute(server.url("postgres"), "SELECT pg_wal_replay_resume()");
  }

  /**
   * Applies each commit so much later than the primary.
   *
   * @param delay zero for at once
   */
  public void lag(Duration delay) {
    server.set(DELAY, delay.isZero() ? "" : delay.toMillis() + "ms");
  }

  /** Cuts it off from the primary: what is committed from now on doesn't reach it. */
  public void cutOff() {
    server.set(PRIMARY, "");
    await("SELECT NOT EXISTS (SELECT 1 FROM pg_stat_wal_receiver)");
  }

  /** Follows the primary again, after {@link #cutOff}. */
  public void reconnect() {
    server.set(PRIMARY, conninfo(primary));
  }

  /**
   * Makes it a primary of its own with what it has received; what it hasn't is lost. The old
   * primary goes on, unless the caller ends it first.
   */
  public void promote() {
    Sql.execute(server.url("postgres"), "SELECT pg_promote()");
    await("SELECT NOT pg_is_in_recovery()");
  }

  /** Stops it and deletes its files. Idempotent. */
  @Override
  public void close() {
    server.close();
  }
}
