package io.weir.internal.rules.callers;

import io.weir.internal.rules.quotas.QuotaAccount;
import io.weir.internal.threads.DaemonThreads;
import io.weir.rules.tier.UserTier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Looks callers up, in a thread of its own and as many by one statement as wait for it.
 *
 * <p>Safe for concurrent use: all that changes is guarded by this object's lock, which nobody holds
 * while the database is asked.
 */
final class LookUpQueue implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(LookUpQueue.class.getName());

  /** After so many failed look-ups nobody waits any more. */
  private static final int MOST_FAILURES = 3;

  /** How long to leave a database alone that doesn't answer. */
  private static final long PAUSE_MILLIS = 500;

  /** So that callers who come while the database is away don't fill the memory. */
  private static final int MOST_PENDING = 10_000;

  private static final int REHEARSALS = 10;
  private static final String NOBODY = "";

  private final CallerRowReader rows;
  private final Duration timeout;
  private final Keeper keeper;
  private final ScheduledThreadPoolExecutor alarms;
  private final Map<String, LookUp> pending = new HashMap<>();
  private final Map<String, LookUp> queued = new LinkedHashMap<>();
  private @Nullable Thread worker;
  private int failures;
  private long lastFailure;
  private boolean told;
  private boolean closed;

  /** Keeps what was read of a caller. */
  @FunctionalInterface
  interface Keeper {
    void keep(CallerId caller, String rowKey, CallerProfile profile);
  }

  /** Of one caller, for all who wait for it. */
  private static final class LookUp {
    private final CallerId caller;
    private final CallerProfile last;
    private final long began = System.nanoTime();
    private final CompletableFuture<CallerProfile> answer = new CompletableFuture<>();
    private boolean dropped;
    private boolean hasAlarm;

    LookUp(CallerId caller, CallerProfile last) {
      this.caller = caller;
      this.last = last;
    }
  }

  LookUpQueue(CallerRowReader rows, Duration timeout, Keeper keeper) {
    this.rows = rows;
    this.timeout = timeout;
    this.keeper = keeper;
    this.alarms = DaemonThreads.scheduler(DaemonThreads.ofApplication("weir-rules-callers-timeout"), 1);
    alarms.setRemoveOnCancelPolicy(true);
  }

  /** Asks for nobody, as often as it takes until that is quick; not at all if it fails. */
  void rehearse() {
    try {
      for (int i = 0; i < REHEARSALS; i++) {
        read(List.of(NOBODY));
      }
    } catch (RuntimeException away) {
      // whoever comes later finds out as well
    }
  }

  /**
   * Looks a caller up, or joins those who do.
   *
   * @param last what is answered if the database doesn't in time
   */
  CompletableFuture<CallerProfile> find(CallerId caller, CallerProfile last) {
    String rowKey = caller.rowKey();
    LookUp lookUp;
    synchronized (this) {
      lookUp = pending.get(rowKey);
      if (lookUp == null) {
        if (closed || pending.size() >= MOST_PENDING) {
          return CompletableFuture.completedFuture(last);
        }
        lookUp = new LookUp(caller, last);
        pending.put(rowKey, lookUp);
        queued.put(rowKey, lookUp);
        wakeWorker();
      }
      if (failures >= MOST_FAILURES) {
        return CompletableFuture.completedFuture(last);
      }
      if (!lookUp.hasAlarm) { // one that nobody waited for so far has none
        setAlarm(lookUp);
      }
    }
    return lookUp.answer;
  }

  private void wakeWorker() {
    if (worker == null) {
      worker = DaemonThreads.ofApplication("weir-rules-callers").newThread(this::work);
      worker.start();
    }
    notifyAll();
  }

  private void setAlarm(LookUp lookUp) {
    lookUp.hasAlarm = true;
    var alarm = alarms.schedule(() -> late(lookUp), timeout.toNanos(), TimeUnit.NANOSECONDS);
    var unused = lookUp.answer.whenComplete((profile, never) -> alarm.cancel(false));
  }

  private void late(LookUp lookUp) {
    synchronized (this) {
      if (!lookUp.answer.isDone()) {
        failed(lookUp.began, "no answer within " + timeout.toMillis() + " ms");
      }
    }
    lookUp.answer.complete(lookUp.last);
  }

  /** Goes on whatever the logger throws: requests wait, and the worker is the only one. */
  private static void log(System.Logger.Level level, String text) {
    try {
      LOG.log(level, text);
    } catch (RuntimeException | Error broken) {
      // There is nowhere left to report it.
    }
  }

  /** Counts a failure, but of all who waited at one time only one. */
  private void failed(long began, String reason) {
    if (failures > 0 && began - lastFailure < 0) {
      return;
    }
    lastFailure = System.nanoTime();
    failures = Math.min(MOST_FAILURES, failures + 1);
    if (failures == MOST_FAILURES && !told) {
      told = true;
      log(
          System.Logger.Level.WARNING,
          "the database of rules doesn't say who callers are: who isn't cached has the default tier"
              + " until it does ("
              + reason
              + ")");
    }
  }

  private void succeeded(long began) {
    if (System.nanoTime() - began > timeout.toNanos()) {
      return; // who waits for the next one would wait in vain
    }
    failures = 0;
    if (told) {
      told = false;
      log(System.Logger.Level.INFO, "the database of rules says again who callers are");
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
    long pauseEnds = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);
    while (!closed && (queued.isEmpty() || failures >= MOST_FAILURES)) {
      long left = TimeUnit.NANOSECONDS.toMillis(pauseEnds - System.nanoTime());
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
    while (all.hasNext() && batch.size() < CallerRowReader.MOST) {
      Map.Entry<String, LookUp> each = all.next();
      batch.put(each.getKey(), each.getValue());
      all.remove();
    }
    return batch;
  }

  private void look(Map<String, LookUp> batch) {
    long began = System.nanoTime();
    Map<String, CallerProfile> found = null;
    try {
      found = read(List.copyOf(batch.keySet()));
    } catch (Throwable failure) {
      synchronized (this) {
        failed(began, failure.getClass().getSimpleName());
      }
    }
    finish(batch, found, began);
  }

  private Map<String, CallerProfile> read(List<String> rowKeys) {
    Map<String, UserTier> tiers = rows.read(rowKeys);
    Map<String, QuotaAccount> quotas = rows.quotas(rowKeys);
    Map<String, CallerProfile> found = new HashMap<>();
    for (String each : rowKeys) {
      found.put(each, CallerProfile.of(tiers.get(each), quotas.get(each)));
    }
    return found;
  }

  private void finish(
      Map<String, LookUp> batch, @Nullable Map<String, CallerProfile> found, long began) {
    synchronized (this) {
      if (found != null) {
        succeeded(began);
      }
      batch.forEach(
          (rowKey, lookUp) -> {
            pending.remove(rowKey, lookUp);
            if (found != null && !lookUp.dropped) {
              keeper.keep(lookUp.caller, rowKey, answer(rowKey, lookUp, found));
            }
          });
    }
    // Without the lock: this goes on with requests.
    batch.forEach((rowKey, lookUp) -> lookUp.answer.complete(answer(rowKey, lookUp, found)));
  }

  private static CallerProfile answer(
      String rowKey, LookUp lookUp, @Nullable Map<String, CallerProfile> found) {
    return found == null ? lookUp.last : found.getOrDefault(rowKey, CallerProfile.noRow());
  }

  /**
   * Drops callers: those whose rows are being read are read again by who comes next.
   *
   * @param changed which, by the keys of their rows
   * @param fromCache drops them from the cache, at once
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
