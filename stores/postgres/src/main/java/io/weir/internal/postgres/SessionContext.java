package io.weir.internal.postgres;

import io.weir.internal.postgres.PostgresSettings.PreparedStatements;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * Holds what all sessions of a store share: clock, time-outs, and whether statements keep names.
 *
 * <p>Safe for concurrent use.
 */
final class SessionContext {
  /** The first version that bounds a transaction, even one that waits for its client. */
  private static final int BOUNDS_TRANSACTIONS = 17;

  private final StoreClock clock;
  private final SilenceMeter silence;
  private final PreparedStatements wanted;
  private final int commandMillis;
  private final Durability durability;
  private final String prelude;
  private final String boundedPrelude;
  private final AtomicBoolean broken = new AtomicBoolean();
  private volatile boolean begun;
  private volatile boolean pooled;

  SessionContext(PostgresSettings settings, StoreClock clock, SilenceMeter silence) {
    this.clock = clock;
    this.silence = silence;
    this.wanted = settings.get(PostgresSettings.PREPARED_STATEMENTS);
    this.commandMillis = (int) Math.max(1, settings.commandTimeout().toMillis());
    this.durability = settings.get(PostgresSettings.DURABILITY);
    this.prelude = settings(0, true) + ";\n";
    this.boundedPrelude = settings(BOUNDS_TRANSACTIONS, true) + ";\n";
  }

  /**
   * Returns what comes before a statement to set what it needs until its transaction ends.
   *
   * @param major the server's version
   */
  String prelude(int major) {
    return major >= BOUNDS_TRANSACTIONS ? boundedPrelude : prelude;
  }

  /**
   * Returns a query that sets what all statements need until the connection ends.
   *
   * @param major the server's version
   */
  String settings(int major) {
    return settings(major, false);
  }

  // As expressions, since SET LOCAL warns outside of a block.
  private String settings(int major, boolean local) {
    Map<String, String> all = new LinkedHashMap<>();
    // All tables are named with their schema. What a stranger may have made in another one, such
    // as an operator that fits better than PostgreSQL's own, is never found.
    all.put("search_path", "pg_catalog, pg_temp");
    if (durability != Durability.SYNCHRONOUS) {
      all.put("synchronous_commit", "off");
    }
    // Planning takes longer than the statement, and no parameter changes the best plan. One that
    // was made while the table was small would read all of it when it no longer is.
    all.put("enable_seqscan", "off");
    all.put("plan_cache_mode", "force_generic_plan");
    all.put("jit", "off");
    all.put("lock_timeout", "" + commandMillis);
    all.put("statement_timeout", "" + commandMillis);
    if (major >= BOUNDS_TRANSACTIONS) {
      all.put("transaction_timeout", "" + 2 * commandMillis);
    }
    if (!local) {
      // Whatever the role or the database has: with a stricter isolation, statements fail that
      // would only have to look again.
      all.put("default_transaction_isolation", "read committed");
      all.put("idle_session_timeout", "0");
    }
    return all.entrySet().stream()
        .map(each -> set(each.getKey(), each.getValue(), local))
        .collect(Collectors.joining(", ", "SELECT ", ""));
  }

  private static String set(String setting, String value, boolean local) {
    return "pg_catalog.set_config('%s', '%s', %s)".formatted(setting, value, local);
  }

  /**
   * Returns what comes before a statement whose commit has to be on the server's disk before
   * anybody sees it; empty if each commit is, or none needs to be.
   */
  String onDisk() {
    return durability == Durability.ASYNCHRONOUS
        ? "SELECT " + set("synchronous_commit", "local", true) + ";\n"
        : "";
  }

  StoreClock clock() {
    return clock;
  }

  int commandMillis() {
    return commandMillis;
  }

  /** Returns for how long the server has owed an answer, in microseconds. */
  long silentMicros() {
    return silence.micros();
  }

  /** Returns whether a commit may wait for replicas, which no time-out ends. */
  boolean waitsForReplicas() {
    return durability == Durability.SYNCHRONOUS;
  }

  boolean isBegun() {
    return begun;
  }

  /** Notes whether a pooler is between. */
  void begin(boolean isPooled) {
    pooled = isPooled;
    begun = true;
  }

  /** Returns whether statements are prepared under a name. */
  boolean prepares() {
    return wanted == PreparedStatements.TRUE || isDirect();
  }

  /**
   * Returns whether a connection is one to a server, so that what is set there concerns nobody
   * else.
   */
  boolean isDirect() {
    return wanted != PreparedStatements.FALSE && begun && !pooled && !broken.get();
  }

  /** Prepares no further statements: a pooler lost one. */
  void stopPreparing() {
    broken.set(true);
  }

  /** Calls the server and measures its silence. */
  <T> T watching(Call<T> call) throws SQLException {
    long number = silence.begin();
    boolean answered = false;
    try {
      T result = call.run();
      answered = true;
      return result;
    } catch (SQLException failure) {
      answered = Failures.leavesConnection(failure) && !Failures.isTimeOut(failure);
      throw failure;
    } finally {
      if (answered) {
        silence.answered(number);
      } else {
        silence.givenUp(number);
      }
    }
  }

  interface Call<T> {
    T run() throws SQLException;
  }
}
