package io.weir.internal.rules.anomalies;

import io.weir.Ticker;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.maintenance.Leadership;
import io.weir.internal.rules.usage.UsageRecorder;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.rules.anomaly.Anomalies;
import io.weir.rules.anomaly.Anomaly;
import io.weir.rules.anomaly.AnomalyAction;
import io.weir.rules.problem.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Detects anomalies on one node. Each node counts requests and knows the current anomalies; the
 * leader also scores the requests of all nodes.
 *
 * <p>While the database is unavailable, no new anomalies are found, and the known ones end at their
 * time. Safe for concurrent use.
 */
public final class AnomalyDetection implements AutoCloseable {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final int MAX_CURRENT = 10_000;
  private static final int THREADS = 2;
  private static final long PAUSE_MILLIS = 1_000;
  private static final Duration MAX_AGE = Duration.ofMinutes(5);
  private static final Duration PURGE_PAUSE = Duration.ofHours(1);

  /** By then all nodes have written the requests of a minute. */
  private static final int MINUTES_BEHIND = 2;

  private final RuleDatabase database;
  private final AnomalyAction strongest;
  private final Leadership leadership;
  private final Ticker ticker;
  private final AnomalyTable table = new AnomalyTable();
  private final EnforcedAnomalies current = new EnforcedAnomalies();
  private final StoredAnomalies stored;
  private final AnomalyScorer scorer;
  private final ScheduledThreadPoolExecutor threads;
  private final AtomicBoolean isStale = new AtomicBoolean(true);

  /** The time of the last reading. Guarded by {@link #current}'s monitor. */
  private Instant readAt = Instant.MIN;

  /** The last minute that was scored. Confined to the thread that scores. */
  private long scored;

  /** The time of the last purge. Confined to the thread that scores. */
  private Instant purgedAt = Instant.MIN;

  /**
   * Does nothing until it is started.
   *
   * @param database may be unavailable
   * @param strongest the strongest action allowed; with {@code ALLOW}, nothing is counted or scored
   * @param leadership whether this node looks for anomalies
   * @param changed runs after this node has changed rows; must not throw
   */
  public AnomalyDetection(
      RuleDatabase database,
      AnomalyAction strongest,
      Leadership leadership,
      Ticker ticker,
      Runnable changed) {
    this.database = database;
    this.strongest = strongest;
    this.leadership = leadership;
    this.ticker = ticker;
    this.stored = new StoredAnomalies(database, ticker, changed);
    this.scorer = new AnomalyScorer(database, strongest);
    this.scored = EpochMinutes.of(ticker.instant()) - MINUTES_BEHIND;
    this.threads =
        DaemonThreadFactory.scheduler(
            DaemonThreadFactory.ofApplication("weir-rules-anomalies"), THREADS);
  }

  /** Counts requests, unless nothing is to be looked for. */
  public void countIn(UsageRecorder usage) {
    if (isOn()) {
      MinuteUsageBuffer minutes = new MinuteUsageBuffer(ticker);
      usage.addMinuteListener(minutes);
      usage.addPart(minutes);
    }
  }

  private boolean isOn() {
    return strongest != AnomalyAction.ALLOW;
  }

  /** Returns whether requests may ever be throttled or blocked. */
  private boolean acts() {
    return strongest.compareTo(AnomalyAction.MONITOR) > 0;
  }

  public void start() {
    if (isOn()) {
      repeat(this::scoreIfDue);
    }
    if (acts()) {
      repeat(this::readIfStale);
    }
  }

  private void repeat(Runnable task) {
    var unused = threads.scheduleWithFixedDelay(task, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  public EnforcedAnomalies current() {
    return current;
  }

  public Anomalies stored() {
    return stored;
  }

  /** Has another thread read the table again, since rows have changed. */
  public void rowsChanged() {
    isStale.set(true);
    if (acts()) {
      try {
        threads.execute(this::readIfStale);
      } catch (RejectedExecutionException closed) {
        // This node stops.
      }
    }
  }

  /** Reads the current anomalies if they may have changed, and every five minutes. */
  void readIfStale() {
    try {
      synchronized (current) {
        Instant now = ticker.instant();
        boolean isOld = readAt.equals(Instant.MIN) || !now.isBefore(readAt.plus(MAX_AGE));
        if (isStale.getAndSet(false) || isOld) {
          read(now);
        }
      }
    } catch (RulesUnavailableException away) {
      isStale.set(true); // The feed reports that the database is unavailable.
    } catch (RuntimeException | Error mistake) {
      LOG.log(Level.ERROR, "rules: anomalies can't be read", mistake);
    }
  }

  private void read(Instant now) {
    List<Anomaly> all =
        database.inTransaction(
            "anomalies can't be read", connection -> table.current(connection, now, MAX_CURRENT));
    current.replace(all, strongest, now);
    readAt = now;
  }

  /** Scores the minute before the last one if this node is the leader and hasn't done so yet. */
  void scoreIfDue() {
    try {
      Instant now = ticker.instant();
      long minute = EpochMinutes.of(now) - MINUTES_BEHIND;
      if (minute > scored && leadership.isLeader()) {
        scored = minute; // before it: a minute that fails isn't tried again for ever
        if (!scorer.score(minute, now).isEmpty()) {
          rowsChanged();
        }
        if (purgedAt.equals(Instant.MIN) || !now.isBefore(purgedAt.plus(PURGE_PAUSE))) {
          scorer.purge(now);
          purgedAt = now;
        }
      }
    } catch (RulesUnavailableException away) {
      LOG.log(Level.DEBUG, "rules: anomalies can't be detected now: " + away.getMessage());
    } catch (RuntimeException | Error mistake) {
      LOG.log(Level.ERROR, "rules: anomalies can't be detected", mistake);
    }
  }

  /** Stops looking and reading. Idempotent. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
