package io.weir.internal.postgres;

import io.weir.internal.postgres.PostgresSettings.PreparedStatements;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Holds what all sessions of a store share: clock, time-outs, and whether statements keep names.
 *
 * <p>Safe for concurrent use.
 */
final class SessionContext {
  private final StoreClock clock;
  private final AnswerWatch answers;
  private final PreparedStatements wanted;
  private final int commandMillis;
  private final String prelude;
  private final AtomicBoolean broken = new AtomicBoolean();
  private volatile boolean begun;
  private volatile boolean pooled;

  SessionContext(PostgresSettings settings, StoreClock clock, AnswerWatch answers) {
    this.clock = clock;
    this.answers = answers;
    this.wanted = settings.preparedStatements();
    this.commandMillis = (int) settings.commandTimeout().toMillis();
    StringBuilder text = new StringBuilder("SELECT ");
    if (settings.durability() != Durability.SYNCHRONOUS) {
      text.append(local("synchronous_commit", "off")).append(", ");
    }
    // Planning takes longer than the statement, and no parameter changes the best plan. One that
    // was made while the table was small would read all of it when it no longer is.
    this.prelude =
        text.append(local("enable_seqscan", "off"))
            .append(", ")
            .append(local("plan_cache_mode", "force_generic_plan"))
            .append(", ")
            .append(local("jit", "off"))
            .append(", ")
            .append(local("lock_timeout", "" + commandMillis))
            .append(", ")
            .append(local("statement_timeout", "" + commandMillis))
            .toString();
  }

  /** What {@code SET LOCAL} does, as an expression: it ends with the transaction. */
  private static String local(String name, String value) {
    return "set_config('" + name + "', '" + value + "', true)";
  }

  StoreClock clock() {
    return clock;
  }

  int commandMillis() {
    return commandMillis;
  }

  String prelude() {
    return prelude + ";\n";
  }

  String boundedPrelude() {
    return prelude + ", " + local("transaction_timeout", "" + 2 * commandMillis) + ";\n";
  }

  boolean isBegun() {
    return begun;
  }

  /** Notes whether a pooler is between. */
  void begin(boolean isPooled) {
    pooled = isPooled;
    begun = true;
  }

  /** Whether statements are prepared under a name. */
  boolean prepares() {
    return wanted == PreparedStatements.TRUE
        || wanted == PreparedStatements.AUTO && begun && !pooled && !broken.get();
  }

  /** Prepares no further statements: a pooler lost one. */
  void stopPreparing() {
    broken.set(true);
  }

  /** Calls the server and measures its silence. */
  <T> T watching(Call<T> call) throws SQLException {
    long number = answers.sent();
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
        answers.answered(number);
      } else {
        answers.gaveUp(number);
      }
    }
  }

  /** A call of the server. */
  interface Call<T> {
    T run() throws SQLException;
  }
}
