package io.weir.internal.rules.quotas;

import io.weir.Ticker;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.SqlState;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.internal.threads.RejectingPool;
import io.weir.rules.problem.RulesUnavailableException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Closes the ended billing periods of users, and writes what comes over into the current ones: in a
 * thread of its own, without requests waiting, or at once through the API.
 *
 * <p>Safe for concurrent use.
 */
public final class PeriodCloser implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("io.weir");
  private static final int MAX_WAITING = 10_000;
  private static final int MAX_ATTEMPTS = 3;
  private static final long STORE_TIMEOUT_SECONDS = 5;
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Another node has written the same row, or there was a deadlock. */
  private static final Set<String> CONFLICTS = Set.of("23505", "40001", "40P01", "90131", "50200");

  private final RuleDatabase database;
  private final QuotaAccountReader accounts;
  private final Ticker ticker;
  private final Set<String> waiting = ConcurrentHashMap.newKeySet();
  private final ThreadPoolExecutor thread;
  private volatile long pausedUntil;
  private volatile boolean isFailureLogged;

  public PeriodCloser(RuleDatabase database, QuotaAccountReader accounts, Ticker ticker) {
    this.database = database;
    this.accounts = accounts;
    this.ticker = ticker;
    this.pausedUntil = ticker.nanoTime();
    this.thread =
        new RejectingPool(
            DaemonThreadFactory.ofApplication("weir-rules-quotas"),
            1,
            MAX_WAITING,
            Duration.ofMinutes(1));
  }

  /** Closes the ended periods of a user soon. If that fails, a later request tries again. */
  public void closeSoon(String userId, QuotaCounter counter, Runnable done) {
    boolean isPaused = ticker.nanoTime() - pausedUntil < 0;
    if (accounts.isWithoutLedger()
        || isPaused
        || waiting.size() >= MAX_WAITING
        || !waiting.add(userId)) {
      return;
    }
    try {
      thread.execute(() -> tryToClose(userId, counter, done));
    } catch (RejectedExecutionException notNow) {
      waiting.remove(userId);
    }
  }

  private void tryToClose(String userId, QuotaCounter counter, Runnable done) {
    try {
      closeNow(userId, counter);
      isFailureLogged = false;
      done.run();
    } catch (RuntimeException failed) {
      pausedUntil = ticker.nanoTime() + PAUSE_NANOS;
      if (!isFailureLogged) {
        isFailureLogged = true;
        LOG.log(
            System.Logger.Level.WARNING,
            "rules: ended periods of quotas can't be closed, so there is no rollover until they can"
                + " (logged once): "
                + failed.getMessage());
      }
    } finally {
      waiting.remove(userId);
    }
  }

  /**
   * Closes the ended periods of a user, and waits for it.
   *
   * @return the account after that
   * @throws RulesUnavailableException if the database or the store can't be reached
   */
  public QuotaAccount closeNow(String userId, QuotaCounter counter) {
    for (int left = MAX_ATTEMPTS; ; left--) {
      try {
        closeOnce(userId, counter);
        return accounts.read(userId);
      } catch (RulesUnavailableException failed) {
        if (left == 1 || !isWorthAnotherTry(failed)) {
          throw failed;
        }
      }
    }
  }

  private static boolean isWorthAnotherTry(RulesUnavailableException failed) {
    return CONFLICTS.contains(SqlState.of(failed));
  }

  private void closeOnce(String userId, QuotaCounter counter) {
    QuotaAccount account = accounts.read(userId);
    long now = ticker.epochMicros();
    List<LedgerRow> open =
        database.inTransaction(
            "quota_periods can't be read",
            connection ->
                PeriodTable.open(
                    connection, userId, now - BillingPeriod.CLOSING_DELAY_MICROS, false));
    Map<Long, Long> stored = new HashMap<>();
    for (LedgerRow each : open) {
      BillingPeriod period = each.period();
      if (now < period.keptUntil()) {
        stored.put(period.begin(), stored(counter, period));
      }
    }
    UserPeriodCloser closing = new UserPeriodCloser(account, counter.terms(), stored, now);
    database.inTransaction(
        "quota_periods can't be written",
        connection -> {
          closing.write(connection, database.dialect());
          return closing;
        });
  }

  /**
   * Returns the permits that the store has counted in a period.
   *
   * @throws RulesUnavailableException if the store doesn't answer in time
   */
  static long stored(QuotaCounter counter, BillingPeriod period) {
    OptionalLong used = OptionalLong.empty();
    try {
      used =
          counter.used(period).toCompletableFuture().get(STORE_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException unanswered) {
      // reported below
    }
    return used.orElseThrow(
        () ->
            new RulesUnavailableException(
                "the store can't report how many permits are used", null));
  }

  /** Stops closing periods. Idempotent. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
