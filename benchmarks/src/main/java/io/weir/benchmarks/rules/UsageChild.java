package io.weir.benchmarks.rules;

import com.zaxxer.hikari.HikariDataSource;
import io.weir.Weir;
import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.guard.GuardedEndpoint;
import io.weir.rules.Rules;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * A JVM in which many callers repeatedly send one request each, which reports how long it takes
 * until the usage of all is in PostgreSQL.
 */
public final class UsageChild {
  private static final int RULES = 1_000;
  private static final long LOOK_MILLIS = 20;

  /** Usage that isn't written by then never will be. */
  private static final long PATIENCE = TimeUnit.MINUTES.toNanos(5);

  private UsageChild() {}

  /**
   * Prints for each round the milliseconds from the last request until all is written, and how many
   * requests were not.
   *
   * @param args how many callers, and how many rounds
   */
  public static void main(String[] args) throws Exception {
    int callers = Integer.parseInt(args[0]);
    int rounds = Integer.parseInt(args[1]);
    try (PostgresServer server = PostgresServer.start();
        HikariDataSource database = new HikariDataSource()) {
      database.setJdbcUrl(server.newDatabase());
      Rules rules =
          Rules.builder(database).callers(2 * callers).timeout(Duration.ofSeconds(10)).build();
      Tables.addRules(database, RULES);
      Tables.addUsers(database, callers);
      rules.refresh();
      try (Weir weir =
          Weir.builder().settings(Passing.PATIENT).policySource(rules.policySource()).build()) {
        GuardedEndpoint endpoint = WeirRuntime.of(weir).withoutClass();
        long before = 0;
        for (int round = 0; round <= rounds; round++) {
          send(endpoint, callers);
          String told = written(database, rules, before + callers);
          before = sum(database);
          if (round > 0) { // the first one looks all callers up
            System.out.println(told);
          }
        }
      }
    }
    System.exit(0);
  }

  private static void send(GuardedEndpoint endpoint, int callers) {
    for (int i = 0; i < callers; i++) {
      Passing.pass(
          endpoint, new UserCall(Tables.endpoint(i % (RULES / Tables.TIERS)), Tables.user(i)));
    }
  }

  private static String written(DataSource database, Rules rules, long wanted) throws Exception {
    long from = System.nanoTime();
    long dropped = rules.usage().dropped().requests();
    while (sum(database) + rules.usage().dropped().requests() - dropped < wanted) {
      if (System.nanoTime() - from > PATIENCE) {
        throw new IllegalStateException("only " + sum(database) + " of " + wanted);
      }
      Thread.sleep(LOOK_MILLIS);
    }
    double millis = (System.nanoTime() - from) / (double) TimeUnit.MILLISECONDS.toNanos(1);
    return String.format(
        Locale.ROOT, "%.3f %d", millis, rules.usage().dropped().requests() - dropped);
  }

  private static long sum(DataSource database) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT SUM(requests) FROM weir.usage_total")) {
      result.next();
      return result.getLong(1);
    }
  }
}
