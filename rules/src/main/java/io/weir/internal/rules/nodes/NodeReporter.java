package io.weir.internal.rules.nodes;

import io.weir.Ticker;
import io.weir.internal.rules.database.DatabaseClock;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.SqlState;
import io.weir.internal.rules.outcomes.HourlyOutcomeBuffer;
import io.weir.internal.rules.outcomes.IntervalOutcomes;
import io.weir.internal.rules.outcomes.OutcomeCounters;
import io.weir.internal.rules.outcomes.OutcomeDifferences;
import io.weir.internal.rules.outcomes.OutcomeSums;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.rules.NodeStatus;
import io.weir.rules.problem.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Writes the status of this node, and what it decided since the last time, to the database every
 * few seconds, in a thread of its own. An interval whose report can't be written isn't reported
 * later: the next report has its own interval alone.
 *
 * <p>If the database refuses the reports, that is logged once, and readers of this node find the
 * last one in its memory.
 *
 * <p>Safe for concurrent use.
 */
final class NodeReporter implements AutoCloseable {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final String FAILURE = NodeTable.NAME + " can't be written";
  private static final String READ_ONLY = "25006";
  private static final String READ_ONLY_H2 = "90097";
  private static final long LEAVE_MILLIS = 1_000;
  private static final double MILLIS_A_SECOND = 1_000;

  private final RuleDatabase database;
  private final OutcomeCounters counters;
  private final DatabaseClock clock;
  private final OwnNode own;
  private final Ticker ticker;
  private final NodeFacts facts;
  private final Runnable afterReport;
  private final Instant startedAt;
  private final String instance;
  private final ScheduledThreadPoolExecutor thread;

  // Confined to the thread.
  private final OutcomeDifferences differences;
  private Optional<NodeReport> last = Optional.empty();
  private OutcomeSums totals = OutcomeSums.NONE;
  private long reportedNanos;
  private long exchanges;
  private long storeCalls;
  private long storeNanos;
  private boolean isWritten;
  private boolean isRefusalLogged;

  /**
   * Reports nothing before it is started.
   *
   * @param database may be unavailable
   * @param clock gets the database's time with each report
   * @param own gets the reports that the database refuses
   * @param afterReport runs in the thread after each report that was written or refused
   */
  NodeReporter(
      RuleDatabase database,
      OutcomeCounters counters,
      DatabaseClock clock,
      OwnNode own,
      NodeFacts facts,
      Runnable afterReport,
      Ticker ticker) {
    this.database = database;
    this.counters = counters;
    this.clock = clock;
    this.own = own;
    this.ticker = ticker;
    this.facts = facts;
    this.afterReport = afterReport;
    this.startedAt = facts.clock().instant();
    this.instance = NodeReport.newInstance(startedAt);
    this.reportedNanos = ticker.nanoTime();
    this.differences = new OutcomeDifferences(counters);
    this.thread =
        DaemonThreadFactory.scheduler(DaemonThreadFactory.ofApplication("weir-rules-node"), 1);
  }

  /**
   * Begins to report.
   *
   * @param pause the time from the end of a report to the next one
   */
  void start(Duration pause) {
    var unused =
        thread.scheduleWithFixedDelay(this::report, 0, pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Writes one report. Called by the thread alone. */
  void report() {
    try {
      NodeReport next = next();
      last = Optional.of(next);
      if (!write(next)) {
        next = next.named(NodeName.withRandomPart(next.status().node()));
        logSecondName(next.status().node());
        last = Optional.of(next);
        boolean unused = write(next);
      }
      own.written();
      if (isRefusalLogged) {
        isRefusalLogged = false;
        LOG.log(Level.INFO, "rules: the status of this node is written again");
      }
      afterReport.run();
    } catch (RulesUnavailableException failed) {
      failed(failed);
    } catch (RuntimeException | Error mistake) {
      LOG.log(Level.ERROR, "rules: the status of this node can't be written", mistake);
    }
  }

  /** Makes the next report; the first one has no decisions, since its interval is too short. */
  private NodeReport next() {
    IntervalOutcomes interval = last.isEmpty() ? IntervalOutcomes.NONE : interval();
    totals = totals.plus(interval.totals());
    long exchangesBefore = exchanges;
    exchanges = last.isEmpty() ? exchanges : counters.exchanges();
    long made = exchanges - exchangesBefore;
    NodeStatus status =
        new NodeStatus(
            last.map(each -> each.status().node()).orElseGet(() -> NodeName.of(facts.name())),
            startedAt,
            clock.now(),
            totals.decisions() - totals.refused(),
            totals.refused(),
            totals.degraded(),
            facts.dropped().getAsLong(),
            facts.isStoreAway().getAsBoolean() ? "open" : "closed",
            storeLatency(),
            WeirVersion.current(),
            interval.millis() == 0 ? 0 : made / (interval.millis() / MILLIS_A_SECOND),
            facts.rulesVersion().getAsLong(),
            last.flatMap(each -> each.status().clockOffset()),
            true,
            Optional.empty());
    return new NodeReport(status, instance, made, Optional.of(interval));
  }

  private IntervalOutcomes interval() {
    long before = reportedNanos;
    reportedNanos = ticker.nanoTime();
    long millis = TimeUnit.NANOSECONDS.toMillis(reportedNanos - before);
    return IntervalOutcomes.of(Math.max(1, millis), differences.next());
  }

  private Optional<Duration> storeLatency() {
    long callsBefore = storeCalls;
    long nanosBefore = storeNanos;
    storeCalls = counters.storeCalls();
    storeNanos = counters.storeNanos();
    long calls = storeCalls - callsBefore;
    return calls == 0
        ? Optional.empty()
        : Optional.of(Duration.ofNanos((storeNanos - nanosBefore) / calls));
  }

  /** Returns false, and writes nothing, if another instance has this node's name. */
  private boolean write(NodeReport report) {
    boolean isFirst = !isWritten;
    boolean isOwn =
        database.inTransaction(FAILURE, connection -> write(connection, report, isFirst));
    isWritten = true;
    return isOwn;
  }

  private boolean write(Connection connection, NodeReport report, boolean isFirst)
      throws SQLException {
    Instant before = facts.clock().instant();
    Instant time = DatabaseClock.read(connection);
    Duration roundTrip = Duration.between(before, facts.clock().instant());
    clock.note(time);
    Duration offset = Duration.between(time, before.plus(roundTrip.dividedBy(2)));
    NodeReport complete = report.seen(time, offset);
    last = Optional.of(complete);
    Optional<String> application = facts.application();
    boolean isOwn = NodeTable.write(connection, complete, application, isFirst);
    if (isFirst && application.isPresent()) {
      NodeTable.otherApplication(connection, application.get())
          .ifPresent(other -> logOtherApplication(application.get(), other));
    }
    return isOwn;
  }

  private static void logOtherApplication(String own, String other) {
    LOG.log(
        Level.WARNING,
        "rules: the applications "
            + own
            + " and "
            + other
            + " use the same schema, so they share rules, tiers, quotas and tokens. Set"
            + " weir.rules.schema to another name in one of them; if they are meant to share,"
            + " set weir.rules.application to the same name in both");
  }

  private void logSecondName(String name) {
    LOG.log(
        Level.WARNING,
        "rules: another node has the same name, so this one reports as "
            + name
            + " from now on; set weir.node to a unique name, or remove it");
  }

  private void failed(RulesUnavailableException failure) {
    if (!NodeTable.isRefused(failure)) {
      own.written(); // it is unknown whether it could be
      LOG.log(
          Level.DEBUG, "rules: the status of this node can't be written: " + failure.getMessage());
      return;
    }
    String note = note(failure);
    last.ifPresent(report -> own.refused(report.unwritten(clock.now(), note)));
    if (!isRefusalLogged) {
      isRefusalLogged = true;
      LOG.log(Level.WARNING, "rules: " + note + " (logged once) " + failure.getMessage());
    }
    afterReport.run();
  }

  private String note(RulesUnavailableException failure) {
    String tables = NodeTable.NAME + " and " + HourlyOutcomeBuffer.TABLE;
    String others = ", so the sums of other nodes lack the decisions of this one.";
    String state = SqlState.of(failure);
    if (state.equals(READ_ONLY) || state.equals(READ_ONLY_H2)) {
      return "The database is read-only for this node" + others;
    }
    if (SqlState.isNoRight(failure)) {
      return "The database role of this node may not write "
          + tables
          + others
          + " This permits it: "
          + grant()
          + ".";
    }
    return "The database lacks "
        + tables
        + others
        + " The log of the node's start has the SQL that adds them.";
  }

  private String grant() {
    String rights =
        "GRANT SELECT, INSERT, UPDATE, DELETE ON weir."
            + NodeTable.NAME
            + ", weir."
            + HourlyOutcomeBuffer.TABLE
            + " TO ";
    try {
      return database.inTransaction(
          "the role can't be read",
          connection -> connection.nativeSQL(rights + database.dialect().role(connection)));
    } catch (RulesUnavailableException away) {
      return rights + "the role";
    }
  }

  /**
   * Removes this node from the list; waits a second for it at most, and readers find it silent if
   * that isn't enough. Idempotent.
   */
  @Override
  public void close() {
    if (thread.isShutdown()) {
      return;
    }
    var left = thread.submit(this::leave);
    thread.shutdown();
    try {
      left.get(LEAVE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException away) {
      // it is dropped from the list after a minute without reports
    }
    thread.shutdownNow();
    own.written();
  }

  private boolean leave() {
    NodeReport report = last.orElse(null);
    return isWritten
        && report != null
        && database.inTransaction(
            FAILURE,
            connection -> {
              NodeTable.delete(connection, report);
              return true;
            });
  }
}
