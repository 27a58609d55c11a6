package io.weir.internal.rules.anomalies;

import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.maintenance.Leadership;
import io.weir.internal.threads.DaemonThreads;
import io.weir.internal.rules.usage.UsageRecorder;
import io.weir.rules.anomaly.Anomalies;
import io.weir.rules.anomaly.Anomaly;
import io.weir.rules.anomaly.AnomalyAction;
import io.weir.rules.problem.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Anomalies on one node. Each node counts, and does to its requests what the table says; the one
 * that has the duty judges.
 *
 * <p>While the database is away, nothing new is found, and what is done about callers ends at its
 * time. Safe for concurrent use.
 */
public final class AnomalyDetection implements AutoCloseable {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final int MOST = 10_000;
  private static final int THREADS = 2;
  private static final long LOOK_MILLIS = 1_000;
  private static final Duration ALL_AGAIN = Duration.ofMinutes(5);
  private static final Duration PURGE = Duration.ofHours(1);

  /** All nodes have written what happened in the minute before the last one. */
  private static final int MINUTES_BEHIND = 2;

  private final RuleDatabase database;
  private final AnomalyAction most;
  private final Leadership leadership;
  private final InstantSource clock;
  private final AnomalyTable table = new AnomalyTable();
  private final CurrentAnomalies current = new CurrentAnomalies();
  private final StoredAnomalies stored;
  private final AnomalyScorer judge;
  private final ScheduledThreadPoolExecutor threads;
  private final AtomicBoolean isStale = new AtomicBoolean(true);

  /** Guarded by {@link #current}'s monitor: of whoever reads the table. */
  private Instant readAt = Instant.MIN;

  /** Of the thread that judges, like the next. */
  private long judged;

  private Instant purgedAt = Instant.MIN;

  /**
   * Does nothing until it is started.
   *
   * @param database may be away
   * @param most how far it may go; {@code ALLOW}: nothing is counted, judged or done
   * @param leadership whether this node looks for anomalies
   * @param clock says which minute it is, and what has ended
   * @param changed run after a change by this node; throws nothing
   */
  public AnomalyDetection(
      RuleDatabase database, AnomalyAction most, Leadership leadership, InstantSource clock, Runnable changed) {
    this.database = database;
    this.most = most;
    this.leadership = leadership;
    this.clock = clock;
    this.stored = new StoredAnomalies(database, clock, changed);
    this.judge = new AnomalyScorer(database, most);
    this.judged = EpochMinutes.of(clock.instant()) - MINUTES_BEHIND;
    this.threads = DaemonThreads.scheduler(DaemonThreads.ofApplication("weir-rules-anomalies"), THREADS);
  }

  /**
   * Has requests counted.
   *
   * @param usage who is told of them, and writes
   */
  public void countIn(UsageRecorder usage) {
    if (isOn()) {
      MinuteRows minutes = new MinuteRows(clock);
      usage.readMinutes(minutes);
      usage.write(minutes);
    }
  }

  private boolean isOn() {
    return most != AnomalyAction.ALLOW;
  }

  /** Whether requests may ever be slowed down or refused. */
  private boolean acts() {
    return most.compareTo(AnomalyAction.MONITOR) > 0;
  }

  /** Begins to judge, and to follow the table. */
  public void start() {
    if (isOn()) {
      every(LOOK_MILLIS, this::judgeIfDue);
    }
    if (acts()) {
      every(LOOK_MILLIS, this::readIfStale);
    }
  }

  private void every(long millis, Runnable work) {
    var unused = threads.scheduleWithFixedDelay(work, 0, millis, TimeUnit.MILLISECONDS);
  }

  /** What requests look at. */
  public CurrentAnomalies current() {
    return current;
  }

  /** What people look at. */
  public Anomalies stored() {
    return stored;
  }

  /** Rows of the table have changed: they are read again, by another thread. */
  public void rowsChanged() {
    isStale.set(true);
    if (acts()) {
      try {
        threads.execute(this::readIfStale);
      } catch (RejectedExecutionException closed) {
        // nobody asks any more
      }
    }
  }

  /** Reads what is done about callers if it may have changed, and every five minutes. */
  void readIfStale() {
    try {
      synchronized (current) {
        Instant now = clock.instant();
        boolean isOld = readAt.equals(Instant.MIN) || !now.isBefore(readAt.plus(ALL_AGAIN));
        if (isStale.getAndSet(false) || isOld) {
          read(now);
        }
      }
    } catch (RulesUnavailableException away) {
      isStale.set(true); // the feed tells it
    } catch (RuntimeException | Error mistake) {
      LOG.log(Level.ERROR, "anomalies can't be read", mistake);
    }
  }

  private void read(Instant now) {
    List<Anomaly> all =
        database.inTransaction(
            "anomalies can't be read", connection -> table.current(connection, now, MOST));
    current.replace(all, most, now);
    readAt = now;
  }

  /** Judges the minute before the last one if this node has to, and hasn't yet. */
  void judgeIfDue() {
    try {
      Instant now = clock.instant();
      long minute = EpochMinutes.of(now) - MINUTES_BEHIND;
      if (minute > judged && leadership.isLeader()) {
        judged = minute; // before it: a minute that can't be judged isn't tried for ever
        if (!judge.judge(minute, now).isEmpty()) {
          rowsChanged();
        }
        if (purgedAt.equals(Instant.MIN) || !now.isBefore(purgedAt.plus(PURGE))) {
          judge.purge(now);
          purgedAt = now;
        }
      }
    } catch (RulesUnavailableException away) {
      LOG.log(Level.DEBUG, "no anomalies are looked for: " + away.getMessage());
    } catch (RuntimeException | Error mistake) {
      LOG.log(Level.ERROR, "anomalies can't be looked for", mistake);
    }
  }

  /** Judges no more, and reads no more. Idempotent. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
