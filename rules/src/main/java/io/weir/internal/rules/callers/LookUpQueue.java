package io.weir.internal.rules.callers;

import io.weir.Ticker;
import io.weir.internal.rules.quotas.QuotaAccount;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.internal.value.DurationText;
import io.weir.rules.tier.UserTier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Looks callers up in a thread of its own, all that wait at one time by one statement.
 *
 * <p>Safe for concurrent use: this object's lock guards the state, and isn't held while the
 * database is read.
 */
final class LookUpQueue implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(LookUpQueue.class.getName());

  /** After so many failed look-ups no request waits. */
  private static final int MAX_FAILURES = 3;

  /** The pause before a look-up after too many failures. */
  private static final long PAUSE_MILLIS = 500;

  /** Bounds memory while the database is unavailable. */
  private static final int MAX_PENDING = 10_000;

  private static final int WARM_UPS = 10;
  private static final String NO_USER = "";

  private final CallerRowReader rows;
  private final Duration timeout;
  private final Ticker ticker;
  private final Keeper keeper;
  private final ScheduledThreadPoolExecutor alarms;
  private final Map<String, LookUp> pending = new HashMap<>();
  private final Map<String, LookUp> queued = new LinkedHashMap<>();
  private @Nullable Thread worker;
  private int failures;
  private long lastFailure;
  private boolean isOutageLogged;
  private boolean closed;

  /** The rows of some callers; the foreign ones are empty if they couldn't be read. */
  private record Found(
      Map<String, UserTier> tiers,
      Optional<ForeignUsers> foreign,
      Map<String, QuotaAccount> quotas) {}

  /** Caches the profile of a caller. */
  @FunctionalInterface
  interface Keeper {
    void keep(CallerId caller, String rowKey, CallerProfile profile);
  }

  /** Looks up one caller, for all requests that wait for it. */
  private static final class LookUp {
    private final CallerId caller;
    private final CallerProfile last;
    private final long began;
    private final CompletableFuture<CallerProfile> answer = new CompletableFuture<>();
    private boolean dropped;
    private boolean hasAlarm;

    LookUp(CallerId caller, CallerProfile last, long began) {
      this.began = began;
      this.caller = caller;
      this.last = last;
    }
  }

  LookUpQueue(CallerRowReader rows, Duration timeout, Ticker ticker, Keeper keeper) {
    this.rows = rows;
    this.timeout = timeout;
    this.ticker = ticker;
    this.keeper = keeper;
    this.alarms =
        DaemonThreadFactory.scheduler(
            DaemonThreadFactory.ofApplication("weir-rules-callers-timeout"), 1);
  }

  /**
   * Reads the rows of no user several times, until reading is quick; stops at the first failure.
   */
  void warmUp() {
    try {
      for (int i = 0; i < WARM_UPS; i++) {
        read(List.of(NO_USER));
      }
    } catch (RuntimeException away) {
      // The first look-up will report it.
    }
  }

  /**
   * Looks a caller up, or joins a look-up under way.
   *
   * @param last the answer if the look-up fails or takes too long
   */
  CompletableFuture<CallerProfile> find(CallerId caller, CallerProfile last) {
    String rowKey = caller.rowKey();
    LookUp lookUp;
    synchronized (this) {
      lookUp = pending.get(rowKey);
      if (lookUp == null) {
        if (closed || pending.size() >= MAX_PENDING) {
          return CompletableFuture.completedFuture(last);
        }
        lookUp = new LookUp(caller, last, ticker.nanoTime());
        pending.put(rowKey, lookUp);
        queued.put(rowKey, lookUp);
        wakeWorker();
      }
      if (failures >= MAX_FAILURES) {
        return CompletableFuture.completedFuture(last);
      }
      if (!lookUp.hasAlarm) { // none if no request has waited for it
        setAlarm(lookUp);
      }
    }
    return lookUp.answer;
  }

  private void wakeWorker() {
    if (worker == null) {
      worker = DaemonThreadFactory.ofApplication("weir-rules-callers").newThread(this::work);
      worker.start();
    }
    notifyAll();
  }

  private void setAlarm(LookUp lookUp) {
    lookUp.hasAlarm = true;
    var alarm = alarms.schedule(() -> timeOut(lookUp), timeout.toNanos(), TimeUnit.NANOSECONDS);
    var unused = lookUp.answer.whenComplete((profile, never) -> alarm.cancel(false));
  }

  private void timeOut(LookUp lookUp) {
    synchronized (this) {
      if (!lookUp.answer.isDone()) {
        countFailure(lookUp.began, "no answer within " + DurationText.inWords(timeout));
      }
    }
    lookUp.answer.complete(lookUp.last);
  }

  /** Ignores what the logger throws: requests wait for the only worker. */
  private static void log(System.Logger.Level level, String text) {
    try {
      LOG.log(level, text);
    } catch (RuntimeException | Error broken) {
      // There is nowhere left to report it.
    }
  }

  /** Counts a failure, but only one for all requests that waited at the same time. */
  private void countFailure(long began, String reason) {
    if (failures > 0 && began - lastFailure < 0) {
      return;
    }
    lastFailure = ticker.nanoTime();
    failures = Math.min(MAX_FAILURES, failures + 1);
    if (failures == MAX_FAILURES && !isOutageLogged) {
      isOutageLogged = true;
      log(
          System.Logger.Level.WARNING,
          "rules: callers can't be looked up in the database ("
              + reason
              + "): callers that aren't cached have the default tier until they can");
    }
  }

  private void countSuccess(long began) {
    if (ticker.nanoTime() - began > timeout.toNanos()) {
      return; // requests would wait for the next one in vain
    }
    failures = 0;
    if (isOutageLogged) {
      isOutageLogged = false;
      log(System.Logger.Level.INFO, "rules: callers are looked up again");
    }
  }

  private void work() {
    try {
      for (Map<String, LookUp> batch = next(); batch != null; batch = next()) {
        look(batch);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized @Nullable Map<String, LookUp> next() throws InterruptedException {
    long pauseEnds = ticker.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);
    while (!closed && (queued.isEmpty() || failures >= MAX_FAILURES)) {
      long left = TimeUnit.NANOSECONDS.toMillis(pauseEnds - ticker.nanoTime());
      if (!queued.isEmpty() && left <= 0) {
        break;
      }
      wait(queued.isEmpty() ? 0 : left);
    }
    if (closed) {
      return null;
    }
    Map<String, LookUp> batch = new HashMap<>();
    var all = queued.entrySet().iterator();
    while (all.hasNext() && batch.size() < CallerRowReader.MAX_USERS) {
      Map.Entry<String, LookUp> each = all.next();
      batch.put(each.getKey(), each.getValue());
      all.remove();
    }
    return batch;
  }

  private void look(Map<String, LookUp> batch) {
    long began = ticker.nanoTime();
    Found found = null;
    try {
      found = read(List.copyOf(batch.keySet()));
    } catch (Throwable failure) {
      synchronized (this) {
        countFailure(began, failure.getClass().getSimpleName());
      }
    }
    finish(batch, found, began);
  }

  private Found read(List<String> rowKeys) {
    Map<String, UserTier> tiers = rows.read(rowKeys);
    Optional<ForeignUsers> foreign =
        rows.hasForeign() ? rows.foreign(rowKeys, true) : Optional.of(ForeignUsers.NONE);
    return new Found(tiers, foreign, rows.quotas(rowKeys));
  }

  private void finish(Map<String, LookUp> batch, @Nullable Found found, long began) {
    synchronized (this) {
      if (found != null) {
        countSuccess(began);
      }
      batch.forEach(
          (rowKey, lookUp) -> {
            pending.remove(rowKey, lookUp);
            if (found != null && !lookUp.dropped) {
              keeper.keep(lookUp.caller, rowKey, answer(rowKey, lookUp, found));
            }
          });
    }
    // Without the lock: waiting requests continue in this thread.
    batch.forEach((rowKey, lookUp) -> lookUp.answer.complete(answer(rowKey, lookUp, found)));
  }

  private static CallerProfile answer(String rowKey, LookUp lookUp, @Nullable Found found) {
    if (found == null) {
      return lookUp.last;
    }
    Optional<ForeignUsers> foreign = found.foreign;
    boolean isRead = foreign.isPresent();
    @Nullable UserTier row =
        isRead && !foreign.get().unusable().contains(rowKey)
            ? foreign.get().rows().get(rowKey)
            : lookUp.last.foreign().orElse(null);
    return CallerProfile.of(found.tiers.get(rowKey), row, found.quotas.get(rowKey), isRead);
  }

  /**
   * Drops callers: those whose rows are being read are looked up again at their next requests.
   *
   * @param changed selects callers, by the keys of their rows
   * @param fromCache drops them from the cache; runs under the lock
   */
  synchronized void drop(Predicate<String> changed, Runnable fromCache) {
    List<String> running = new ArrayList<>();
    pending.forEach(
        (rowKey, lookUp) -> {
          if (changed.test(rowKey) && queued.get(rowKey) != lookUp) {
            lookUp.dropped = true;
            running.add(rowKey);
          }
        });
    running.forEach(pending::remove);
    fromCache.run();
  }

  @Override
  public void close() {
    List<LookUp> waiting;
    synchronized (this) {
      closed = true;
      waiting = List.copyOf(pending.values());
      pending.clear();
      queued.clear();
      notifyAll();
      if (worker != null) {
        worker.interrupt();
      }
    }
    alarms.shutdownNow();
    waiting.forEach(each -> each.answer.complete(each.last));
  }
}
