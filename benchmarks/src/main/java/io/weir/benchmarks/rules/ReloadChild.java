package io.weir.benchmarks.rules;

import com.sun.management.OperatingSystemMXBean;
import com.zaxxer.hikari.HikariDataSource;
import io.weir.Weir;
import io.weir.benchmarks.Latencies;
import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.guard.GuardedEndpoint;
import io.weir.rules.Rules;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * A JVM with requests at fixed times, while rules are changed by one statement in PostgreSQL;
 * reports how late requests end beside a reload that does nothing, and while the rules are read
 * again.
 */
public final class ReloadChild {
  private static final int CALLERS = 1_000;

  /** A request each so many nanoseconds: enough for a percentile, and a core has time left. */
  private static final long BETWEEN = TimeUnit.MICROSECONDS.toNanos(100);

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final DataSource database;
  private final Rules rules;
  private final GuardedEndpoint endpoint;
  private final UserCall[] calls = new UserCall[CALLERS];
  private final long requestThread = Thread.currentThread().getId();
  private int changes;
  private int next;

  /** Set while the rules are being read again, or nothing is. */
  private volatile boolean reloads;

  private volatile boolean over;
  private volatile long reloadNanos;
  private volatile long reloadCpuNanos;

  private ReloadChild(DataSource database, Rules rules, GuardedEndpoint endpoint, int number) {
    this.database = database;
    this.rules = rules;
    this.endpoint = endpoint;
    for (int i = 0; i < CALLERS; i++) {
      calls[i] = new UserCall(Tables.endpoint(i % (number / Tables.TIERS)), Tables.user(i));
    }
  }

  /**
   * Prints for each round the 99th percentile in microseconds, beside a reload that does nothing
   * and while rules are read, the milliseconds that this took, and those of the processor.
   *
   * @param args how many rules, how many rounds, and how many of the rules change
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
        child.changes = Integer.parseInt(args[2]);
        child.beside(child::reload); // to warm up
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
          System.out.println(child.round());
        }
      }
    }
    System.exit(0);
  }

  private String round() throws Exception {
    Latencies nothing = beside(this::reloadNothing);
    Latencies busy = beside(this::reload);
    return String.format(
        Locale.ROOT,
        "%.3f %.3f %.3f %.3f",
        nothing.micros(99),
        busy.micros(99),
        millis(reloadNanos),
        millis(reloadCpuNanos));
  }

  private static double millis(long nanos) {
    return nanos / (double) TimeUnit.MILLISECONDS.toNanos(1);
  }

  /** Sends requests while something runs, and returns how late they ended meanwhile. */
  private Latencies beside(Runnable reload) throws InterruptedException {
    over = false;
    Thread reloading = new Thread(reload, "reloading");
    reloading.start();
    Latencies waits = new Latencies();
    for (long due = System.nanoTime(); !over; due += BETWEEN) {
      boolean counts = reloads;
      long took = send(due);
      if (counts || over && waits.count() == 0) { // a slow machine may have reloaded meanwhile
        waits.add(took);
      }
    }
    reloading.join();
    return waits;
  }

  private long send(long due) {
    while (System.nanoTime() - due < 0) {
      Thread.onSpinWait();
    }
    Passing.pass(endpoint, calls[next]);
    next = next + 1 == calls.length ? 0 : next + 1;
    return System.nanoTime() - due;
  }

  /** Looks for changes where there are none, for as long as the last reload took. */
  private void reloadNothing() {
    try {
      long until = System.nanoTime() + reloadNanos;
      reloads = true;
      rules.refresh();
      long left = until - System.nanoTime();
      TimeUnit.NANOSECONDS.sleep(Math.max(0, left));
    } catch (InterruptedException impossible) {
      throw new IllegalStateException(impossible);
    } finally {
      reloads = false;
      over = true;
    }
  }

  private void reload() {
    try {
      Tables.run(
          database,
          "UPDATE weir.rate_limit_rules SET limit_count = limit_count - 1 WHERE id < "
              + changes
              + " + (SELECT min(id) FROM weir.rate_limit_rules)");
      long from = System.nanoTime();
      long cpu = cpuNanos();
      reloads = true;
      rules.refresh();
      reloadNanos = System.nanoTime() - from;
      reloadCpuNanos = cpuNanos() - cpu;
    } catch (SQLException impossible) {
      throw new IllegalStateException(impossible);
    } finally {
      reloads = false;
      over = true;
    }
  }

  /** Returns the time of the processor that this process has taken for all but requests. */
  private long cpuNanos() {
    return PROCESS.getProcessCpuTime() - THREADS.getThreadCpuTime(requestThread);
  }
}
