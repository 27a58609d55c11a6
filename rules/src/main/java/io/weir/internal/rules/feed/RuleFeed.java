package io.weir.internal.rules.feed;

import io.weir.Ticker;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.rulebook.RulebookContext;
import io.weir.internal.threads.PeriodicTask;
import io.weir.rules.RulebookStatus;
import io.weir.rules.history.RuleChange;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.problem.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Follows the tables in a thread of its own: looks every second for what is new, and reads all
 * rules again every five minutes in any case. While the database is away, the last rules stay, and
 * each look tries to reach it again.
 *
 * <p>Safe for concurrent use.
 */
public final class RuleFeed implements AutoCloseable {
  /** The time from the end of a look to the next one. */
  public static final Duration USUAL_INTERVAL = Duration.ofSeconds(1);

  private static final Logger LOG = System.getLogger("io.weir");
  private static final long ALL_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final int LOOKS_OF_START = 20;

  private final LateDatabase database;
  private final UserChangeListener users;
  private final TableChangeDetector changes;
  private final BanFeed bans;
  private final RulebookLoader loader;
  private final Duration interval;
  private final ReentrantLock lock = new ReentrantLock();
  private final Ticker ticker;
  private final Supplier<ScheduledExecutorService> threads;
  private volatile @Nullable PeriodicTask looks;

  /** Guarded by the lock. */
  private final ProblemLog log;

  /** The time at which all was read last; guarded by the lock. */
  private long allReadAt;

  /** The failure of the last look; guarded by the lock. */
  private @Nullable String failure;

  /** The problems of tables that Weir didn't make; guarded by the lock. */
  private List<RuleProblem> foreignProblems = List.of();

  /** Empty until the database has been read. */
  private volatile Optional<RulebookStatus> status = Optional.empty();

  private volatile List<RuleProblem> problems = List.of();

  /**
   * The looks until the application counts as started, with all its policies bound; negative before
   * there is one. Guarded by the lock.
   */
  private int looksUntilBound = -1;

  /**
   * Reads nothing yet.
   *
   * @param users receives changes of users' rows
   * @param bans follows bans, by the looks of this
   * @param problems receives each problem once, and once more when it is fixed; returns at once
   * @param threads makes the thread that looks, which the feed ends
   */
  public RuleFeed(
      LateDatabase database,
      RulebookLoader loader,
      UserChangeListener users,
      BanFeed bans,
      BiConsumer<RuleProblem, Boolean> problems,
      Duration interval,
      Ticker ticker,
      Supplier<ScheduledExecutorService> threads) {
    this.database = database;
    this.users = users;
    this.bans = bans;
    this.changes = new TableChangeDetector(database.rows(), users, bans, ticker);
    this.loader = loader;
    this.log = new ProblemLog(problems);
    this.interval = interval;
    this.ticker = ticker;
    this.threads = threads;
  }

  /**
   * Reads all rows, and follows them from then on. If the database is away, the snapshot serves; if
   * there is none, no rule is in force until the database is reached.
   *
   * @param required whether to fail instead
   * @throws RulesUnavailableException if it is required, and away
   */
  public void start(boolean required) {
    lock.lock();
    try {
      look();
    } catch (RulesUnavailableException away) {
      if (required) {
        throw away;
      }
      failed(away);
      fromSnapshot();
    } finally {
      lock.unlock();
    }
    looks = PeriodicTask.start(threads.get(), interval, interval, this::lookAgain);
  }

  /** Puts the rules in force in an application. */
  public void application(RulebookContext context) {
    lock.lock();
    try {
      loader.application(context, database.rows());
      looksUntilBound = LOOKS_OF_START;
      reportProblems();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Reads the latest changes in the thread of the caller.
   *
   * @throws RulesUnavailableException if the database can't be reached
   */
  public void refresh() {
    lock.lock();
    try {
      look();
    } catch (RulesUnavailableException away) {
      failed(away);
      throw away;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes rows of tables that Weir didn't make.
   *
   * @param table rules or costs
   * @param rows all of them; empty if they can't be read, so that those held stay in force
   * @param wrong the problems of such tables as a whole
   */
  public void foreign(RuleTable table, Optional<List<StoredRow>> rows, List<RuleProblem> wrong) {
    lock.lock();
    try {
      List<RuleChange> changes = loader.foreign(table, rows, ticker.instant());
      if (users.hearsRules()) {
        changes.forEach(users::heard);
      }
      foreignProblems = List.copyOf(wrong);
      reportProblems();
    } finally {
      lock.unlock();
    }
  }

  /** Reads the latest changes; if that fails, the next look reads them. */
  public void refreshQuietly() {
    try {
      refresh();
    } catch (RulesUnavailableException away) {
      // logged already
    }
  }

  /** Returns the current problems; none if all is well. */
  public List<RuleProblem> problems() {
    return problems;
  }

  /** Returns the age of the rules; empty until the database has been read. */
  public Optional<RulebookStatus> status() {
    return status;
  }

  private void lookAgain() {
    lock.lock();
    try {
      look();
    } catch (RuntimeException failed) {
      failed(failed);
    } finally {
      lock.unlock();
    }
  }

  private void look() {
    database.open();
    long now = ticker.nanoTime();
    if (now - allReadAt >= ALL_AGAIN_NANOS) {
      changes.allStale();
    }
    Instant before = ticker.instant();
    StaleTables stale = changes.look();
    boolean isAll = stale.areWhole(StaleTables.HELD);
    if (!stale.isEmpty()) {
      read(stale);
      changes.wasRead();
      status = Optional.of(new RulebookStatus(newestChange(), before));
      if (isAll) {
        allReadAt = now;
      }
    } else {
      changes.wasRead();
      loader.lookAtApplication();
      status = status.map(last -> new RulebookStatus(last.version(), before));
    }
    bans.look();
    if (failure != null) {
      LOG.log(Level.INFO, "rules: the database can be reached again");
      failure = null;
    }
    if (looksUntilBound > 0) {
      looksUntilBound--;
    }
    reportProblems();
  }

  private void read(StaleTables stale) {
    try {
      loader.read(database.rows(), stale, new StaleRowReader(database.rows(), changes));
    } catch (RuntimeException failed) {
      changes.allStale();
      throw failed;
    }
  }

  private long newestChange() {
    for (RuleChange newest : database.rows().latestChanges(1)) {
      return newest.number();
    }
    return 0;
  }

  private void failed(RuntimeException what) {
    String message = what.getMessage() == null ? what.toString() : what.getMessage();
    if (failure == null) {
      LOG.log(
          Level.ERROR,
          "rules: the database can't be read, so the rules stay unchanged until it can: " + message,
          what instanceof RulesUnavailableException ? null : what);
    }
    failure = message;
    reportProblems();
  }

  private void fromSnapshot() {
    if (loader.restore()) {
      LOG.log(Level.WARNING, "rules: started with the rules of the snapshot");
    } else {
      LOG.log(
          Level.ERROR,
          "rules: the database can't be reached and there is no snapshot: only annotations and"
              + " settings apply until it can be reached");
    }
    reportProblems();
  }

  private void reportProblems() {
    List<RuleProblem> now = new ArrayList<>(loader.problems());
    now.addAll(foreignProblems);
    now.addAll(bans.problems());
    if (looksUntilBound == 0) {
      now.addAll(loader.unknownPolicies(ticker.instant()));
      users.policiesBound();
    }
    log.report(now);
    now.addAll(changes.problems());
    if (failure != null) {
      now.add(0, new RuleProblem("database", "rules", "", "can't be read: " + failure, true));
    }
    problems = List.copyOf(now);
  }

  /** Stops looking; the rules stay as they are. Idempotent. */
  @Override
  public void close() {
    PeriodicTask now = looks;
    if (now != null) {
      now.close();
    }
  }
}
