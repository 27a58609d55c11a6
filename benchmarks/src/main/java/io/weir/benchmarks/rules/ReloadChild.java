package io.weir.benchmarks.rules;

import com.zaxxer.hikari.HikariDataSource;
import io.weir.Weir;
import io.weir.benchmarks.Latencies;
import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.guard.GuardedEndpoint;
import io.weir.rules.Rules;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * A JVM with requests at fixed times, while all rules are changed by one statement in PostgreSQL;
 * reports how late requests end while nothing happens, and while the rules are read again.
 */
public final class ReloadChild {
  private static final int CALLERS = 1_000;

  /** A request each so many nanoseconds: enough for a percentile, and a core has time left. */
  private static final long BETWEEN = TimeUnit.MICROSECONDS.toNanos(100);

  private final DataSource database;
  private final Rules rules;
  private final GuardedEndpoint endpoint;
  private final UserCall[] calls = new UserCall[CALLERS];
  private int next;

  /** Set while the rules are being read again. */
  private volatile boolean reloads;

  private volatile boolean over;
  private volatile long reloadNanos;

  private ReloadChild(DataSource database, Rules rules, GuardedEndpoint endpoint, int number) {
    this.database = database;
    this.rules = rules;
    this.endpoint = endpoint;
    for (int i = 0; i < CALLERS; i++) {
      calls[i] = new UserCall(Tables.endpoint(i % (number / Tables.TIERS)), Tables.user(i));
    }
  }

  /**
   * Prints for each round the 99th percentile in microseconds, quiet and while rules are read, and
   * the milliseconds that this took.
   *
   * @param args how many rules, how many rounds, and the milliseconds of quiet in each
   */
  public static void main(String[] args) throws Exception {
    int number = Integer.parseInt(args[0]);
    try (PostgresServer server = PostgresServer.start();
        HikariDataSource database = new HikariDataSource()) {
      database.setJdbcUrl(server.newDatabase());
      Rules rules = Rules.builder(database).timeout(Duration.ofSeconds(10)).build();
      Tables.addRules(database, number);
      Tables.addUsers(database, CALLERS);
      rules.refresh();
      try (Weir weir =
          Weir.builder().settings(Passing.PATIENT).policySource(rules.policySource()).build()) {
        GuardedEndpoint endpoint = WeirRuntime.of(weir).withoutClass();
        ReloadChild child = new ReloadChild(database, rules, endpoint, number);
        child.round(Long.parseLong(args[2])); // to warm up
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
          System.out.println(child.round(Long.parseLong(args[2])));
        }
      }
    }
    System.exit(0);
  }

  private String round(long millis) throws InterruptedException {
    Latencies quiet = new Latencies();
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long due = System.nanoTime(); due - until < 0; due += BETWEEN) {
      quiet.add(send(due));
    }
    over = false;
    Thread reloading = new Thread(this::reload, "reloading");
    reloading.start();
    Latencies busy = new Latencies();
    for (long due = System.nanoTime(); !over; due += BETWEEN) {
      boolean counts = reloads;
      long took = send(due);
      if (counts || over && busy.count() == 0) { // a slow machine may have reloaded meanwhile
        busy.add(took);
      }
    }
    reloading.join();
    return String.format(
        Locale.ROOT,
        "%.3f %.3f %.3f",
        quiet.micros(99),
        busy.micros(99),
        reloadNanos / (double) TimeUnit.MILLISECONDS.toNanos(1));
  }

  private long send(long due) {
    while (System.nanoTime() - due < 0) {
      Thread.onSpinWait();
    }
    Passing.pass(endpoint, calls[next]);
    next = next + 1 == calls.length ? 0 : next + 1;
    return System.nanoTime() - due;
  }

  private void reload() {
    try {
      Tables.run(database, "UPDATE rate_limit_rules SET limit_count = limit_count - 1");
      long from = System.nanoTime();
      reloads = true;
      rules.refresh();
      reloadNanos = System.nanoTime() - from;
    } catch (SQLException impossible) {
      throw new IllegalStateException(impossible);
    } finally {
      reloads = false;
      over = true;
    }
  }
}
