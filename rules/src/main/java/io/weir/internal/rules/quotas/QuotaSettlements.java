package io.weir.internal.rules.quotas;

import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.SqlState;
import io.weir.internal.threads.DaemonThreads;
import io.weir.rules.RulesUnavailableException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Settles accounts: closes periods that are over, and writes down what comes over into the running
 * ones. In a thread of its own, of which requests take no notice, or at once for who asks by hand.
 *
 * <p>Safe for concurrent use.
 */
public final class QuotaSettlements implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("io.weir");
  private static final int MOST_WAITING = 10_000;
  private static final int TRIES = 3;
  private static final long STORE_SECONDS = 5;
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Another node has written the same row, or the two waited for each other. */
  private static final Set<String> AGAIN = Set.of("23505", "40001", "40P01", "90131", "50200");

  private final RuleDatabase database;
  private final QuotaAccounts accounts;
  private final LongSupplier clock;
  private final Set<String> waiting = ConcurrentHashMap.newKeySet();
  private final ThreadPoolExecutor thread;
  private volatile long pausedUntil = System.nanoTime();
  private volatile boolean told;

  /**
   * Settles nothing yet.
   *
   * @param database has the rows
   * @param accounts reads them
   * @param clock microseconds since the epoch
   */
  public QuotaSettlements(RuleDatabase database, QuotaAccounts accounts, LongSupplier clock) {
    this.database = database;
    this.accounts = accounts;
    this.clock = clock;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(MOST_WAITING),
            DaemonThreads.ofApplication("weir-rules-quotas"));
    thread.allowCoreThreadTimeOut(true);
  }

  /**
   * Settles an account soon. If it can't be, a later request asks again.
   *
   * @param userId whose
   * @param counter counts its quota
   * @param done run when it is settled
   */
  public void later(String userId, QuotaCounter counter, Runnable done) {
    boolean isPaused = System.nanoTime() - pausedUntil < 0;
    if (accounts.isWithoutLedger()
        || isPaused
        || waiting.size() >= MOST_WAITING
        || !waiting.add(userId)) {
      return;
    }
    try {
      thread.execute(() -> settleQuietly(userId, counter, done));
    } catch (RejectedExecutionException closed) {
      waiting.remove(userId);
    }
  }

  private void settleQuietly(String userId, QuotaCounter counter, Runnable done) {
    try {
      settle(userId, counter);
      told = false;
      done.run();
    } catch (RuntimeException failed) {
      pausedUntil = System.nanoTime() + PAUSE_NANOS;
      if (!told) {
        told = true;
        LOG.log(
            System.Logger.Level.WARNING,
            "quotas: periods that are over can't be closed, so there is no rollover until they can"
                + " (said once): "
                + failed.getMessage());
      }
    } finally {
      waiting.remove(userId);
    }
  }

  /**
   * Settles an account now.
   *
   * @param userId whose
   * @param counter counts its quota
   * @return the account as it is then
   * @throws RulesUnavailableException if the database or the store can't be reached
   */
  public QuotaAccount settle(String userId, QuotaCounter counter) {
    for (int left = TRIES; ; left--) {
      try {
        settleOnce(userId, counter);
        return accounts.read(userId);
      } catch (RulesUnavailableException failed) {
        if (left == 1 || !isWorthAnotherTry(failed)) {
          throw failed;
        }
      }
    }
  }

  private static boolean isWorthAnotherTry(RulesUnavailableException failed) {
    return AGAIN.contains(SqlState.of(failed));
  }

  private void settleOnce(String userId, QuotaCounter counter) {
    QuotaAccount account = accounts.read(userId);
    long now = clock.getAsLong();
    List<LedgerRow> open =
        database.inTransaction(
            "quota_periods can't be read",
            connection ->
                PeriodTable.open(connection, userId, now - QuotaState.SETTLED_MICROS, false));
    Map<Long, Long> stored = new HashMap<>();
    for (LedgerRow each : open) {
      BillingPeriod period = each.period();
      if (now < period.keptUntil()) {
        stored.put(period.begin(), stored(counter, period));
      }
    }
    Settlement settlement = new Settlement(account, counter.terms(), stored, now);
    database.inTransaction(
        "quota_periods can't be written",
        connection -> {
          settlement.write(connection, database.dialect());
          return settlement;
        });
  }

  /**
   * What the store has counted in a period.
   *
   * @param counter counts a quota
   * @param period the period
   * @return permits
   * @throws RulesUnavailableException if the store doesn't tell
   */
  static long stored(QuotaCounter counter, BillingPeriod period) {
    OptionalLong used = OptionalLong.empty();
    try {
      used = counter.used(period).toCompletableFuture().get(STORE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException unanswered) {
      // told below
    }
    return used.orElseThrow(
        () -> new RulesUnavailableException("the store doesn't tell what is used", null));
  }

  /** Settles no more. Idempotent. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
