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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
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

  /** The pause before a look-up after too many failures. */
  private static final long PAUSE_MILLIS = 500;

  /** Bounds memory while the database is unavailable. */
  private static final int MAX_PENDING = 10_000;

  private static final int WARM_UPS = 10;
  private static final String NO_USER = "";

  private final CallerRowReader rows;
  private final LookUpPatience patience;
  private final LookUpPatience patienceForQuotas;
  private final Ticker ticker;
  private final Keeper keeper;
  private final ThreadFactory threads;
  private final ScheduledThreadPoolExecutor alarms;
  private final Map<String, LookUp> pending = new HashMap<>();
  private final Map<String, LookUp> queued = new LinkedHashMap<>();
  private @Nullable Thread worker;
  private boolean isOutageLogged;
  private boolean isQuotaOutageLogged;
  private boolean closed;

  /** The rows of some callers; foreign ones are empty, and quotas null, if they can't be read. */
  private record Found(
      Map<String, UserTier> tiers,
      Optional<ForeignUsers> foreign,
      @Nullable Map<String, QuotaAccount> quotas) {}

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

    /** For requests that can't be decided without it. */
    private final CompletableFuture<CallerProfile> quotaAnswer = new CompletableFuture<>();

    private boolean dropped;
    private boolean hasAlarm;
    private boolean hasQuotaAlarm;

    void complete(CallerProfile profile) {
      answer.complete(profile);
      quotaAnswer.complete(profile);
    }

    LookUp(CallerId caller, CallerProfile last, long began) {
      this.began = began;
      this.caller = caller;
      this.last = last;
    }
  }

  LookUpQueue(
      CallerRowReader rows,
      Duration timeout,
      Duration quotaTimeout,
      Ticker ticker,
      Keeper keeper,
      ThreadFactory threads) {
    this.rows = rows;
    this.patience = new LookUpPatience(timeout, ticker);
    this.patienceForQuotas = new LookUpPatience(quotaTimeout, ticker);
    this.ticker = ticker;
    this.keeper = keeper;
    this.threads = threads;
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
        read(Map.of(NO_USER, new LookUp(CallerId.key(NO_USER), CallerProfile.unknown(), 0)));
      }
    } catch (RuntimeException away) {
      // The first look-up will report it.
    }
  }

  /**
   * Looks a caller up, or joins a look-up under way.
   *
   * @param last the answer if the look-up fails or takes too long
   * @param isEnough whether the last known profile decides the request; if not, it waits by the
   *     time-out of quotas
   */
  CompletableFuture<CallerProfile> find(
      CallerId caller, CallerProfile last, Predicate<CallerProfile> isEnough) {
    String rowKey = caller.rowKey();
    boolean isPatient = !isEnough.test(last);
    synchronized (this) {
      LookUp lookUp = pending.get(rowKey);
      if (lookUp == null) {
        if (closed || pending.size() >= MAX_PENDING) {
          return CompletableFuture.completedFuture(last);
        }
        lookUp = new LookUp(caller, last, ticker.nanoTime());
        try {
          wakeWorker();
        } catch (OutOfMemoryError noThread) { // the process may start no more of them just now
          return CompletableFuture.completedFuture(last);
        }
        pending.put(rowKey, lookUp);
        queued.put(rowKey, lookUp);
      }
      return isPatient ? waitPatiently(lookUp) : waitFor(lookUp);
    }
  }

  private CompletableFuture<CallerProfile> waitFor(LookUp lookUp) {
    if (patience.isExhausted()) {
      return CompletableFuture.completedFuture(lookUp.last);
    }
    if (!lookUp.hasAlarm) { // none if no request has waited for it
      lookUp.hasAlarm = true;
      setAlarm(lookUp, lookUp.answer, patience);
    }
    return lookUp.answer;
  }

  private CompletableFuture<CallerProfile> waitPatiently(LookUp lookUp) {
    if (patienceForQuotas.isExhausted()) {
      return CompletableFuture.completedFuture(lookUp.last);
    }
    if (!lookUp.hasQuotaAlarm) {
      lookUp.hasQuotaAlarm = true;
      setAlarm(lookUp, lookUp.quotaAnswer, patienceForQuotas);
      notifyAll(); // the worker may be pausing
    }
    return lookUp.quotaAnswer;
  }

  /** Has what is queued under the same lock looked up. */
  private void wakeWorker() {
    if (worker == null) {
      alarms.prestartCoreThread();
      Thread started = threads.newThread(this::work);
      started.start();
      worker = started;
    }
    notifyAll(); // it goes on when this lock is released
  }

  private void setAlarm(LookUp lookUp, CompletableFuture<CallerProfile> answer, LookUpPatience of) {
    var alarm =
        alarms.schedule(
            () -> timeOut(lookUp, answer, of), of.timeout().toNanos(), TimeUnit.NANOSECONDS);
    var unused = answer.whenComplete((profile, never) -> alarm.cancel(false));
  }

  private void timeOut(LookUp lookUp, CompletableFuture<CallerProfile> answer, LookUpPatience of) {
    synchronized (this) {
      if (!answer.isDone()) {
        of.countFailure(lookUp.began);
        logOutage("no answer within " + DurationText.inWords(of.timeout()));
      }
    }
    answer.complete(lookUp.last);
  }

  /** Ignores what the logger throws: requests wait for the only worker. */
  private static void log(System.Logger.Level level, String text) {
    try {
      LOG.log(level, text);
    } catch (RuntimeException | Error broken) {
      // There is nowhere left to report it.
    }
  }

  private void countFailure(long began, String reason) {
    patience.countFailure(began);
    patienceForQuotas.countFailure(began);
    logOutage(reason);
  }

  private void logOutage(String reason) {
    if (patience.isExhausted() && !isOutageLogged) {
      isOutageLogged = true;
      log(
          System.Logger.Level.WARNING,
          "rules: callers can't be looked up in the database ("
              + reason
              + "): callers that aren't cached have the default tier until they can");
    }
  }

  private void countSuccess(long began) {
    patienceForQuotas.countSuccess(began);
    if (patience.countSuccess(began) && isOutageLogged) {
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
    while (!closed && (queued.isEmpty() || isPausing())) {
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

  /** Returns whether no request waits for what is queued. */
  private boolean isPausing() {
    return patience.isExhausted()
        && (patienceForQuotas.isExhausted()
            || queued.values().stream().noneMatch(each -> each.hasQuotaAlarm));
  }

  private void look(Map<String, LookUp> batch) {
    long began = ticker.nanoTime();
    Found found = null;
    try {
      found = read(batch);
    } catch (Throwable failure) {
      synchronized (this) {
        countFailure(began, failure.getClass().getSimpleName());
      }
    }
    finish(batch, found, began);
  }

  /** Reads rows in the calling thread, without those that can't be used. */
  Map<String, CallerProfile> readAgain(List<String> rowKeys) {
    Map<String, Optional<UserTier>> tiers = rows.readAgain(rowKeys);
    Map<String, QuotaAccount> quotas = rows.quotas(rowKeys);
    Map<String, CallerProfile> found = new HashMap<>();
    for (String each : rowKeys) {
      Optional<UserTier> tier = tiers.get(each);
      if (tier == null || tier.isPresent()) {
        UserTier row = tier == null ? null : tier.get();
        found.put(each, CallerProfile.of(row, quotas.get(each)));
      }
    }
    return found;
  }

  /** A failure of quotas alone leaves the tiers that were read. */
  private Found read(Map<String, LookUp> batch) {
    ReadUsers some = rows.readSome(List.copyOf(batch.keySet()));
    if (!some.left().isEmpty()) {
      putBack(batch, some.left());
    }
    List<String> rowKeys = List.copyOf(batch.keySet());
    Map<String, UserTier> tiers = some.rows();
    Optional<ForeignUsers> foreign =
        rows.hasForeign() ? rows.foreign(rowKeys, true) : Optional.of(ForeignUsers.NONE);
    return new Found(tiers, foreign, quotas(rowKeys));
  }

  /** Queues look-ups again whose rows weren't read, for memory. */
  private synchronized void putBack(Map<String, LookUp> batch, Set<String> left) {
    for (String rowKey : left) {
      @Nullable LookUp lookUp = closed ? null : batch.remove(rowKey);
      if (lookUp != null) {
        @Nullable LookUp other = pending.putIfAbsent(rowKey, lookUp);
        if (other == null || other == lookUp) {
          lookUp.dropped = false; // it will read what is there then
          queued.put(rowKey, lookUp);
        } else { // it was dropped, and its caller was asked for again
          var unused = other.answer.thenAccept(lookUp.answer::complete);
          var unusedToo = other.quotaAnswer.thenAccept(lookUp.quotaAnswer::complete);
        }
      }
    }
  }

  private @Nullable Map<String, QuotaAccount> quotas(List<String> rowKeys) {
    try {
      Map<String, QuotaAccount> quotas = rows.quotas(rowKeys);
      if (isQuotaOutageLogged) {
        isQuotaOutageLogged = false;
        log(System.Logger.Level.INFO, "rules: quotas can be read again");
      }
      return quotas;
    } catch (RuntimeException failed) {
      if (!isQuotaOutageLogged) {
        isQuotaOutageLogged = true;
        log(
            System.Logger.Level.WARNING,
            "rules: quotas can't be read, so those of callers that aren't cached are unknown;"
                + " their other limits still apply: "
                + failed.getMessage());
      }
      return null;
    }
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
    batch.forEach((rowKey, lookUp) -> lookUp.complete(answer(rowKey, lookUp, found)));
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
    @Nullable UserTier own = found.tiers.get(rowKey);
    return found.quotas == null
        ? CallerProfile.of(own, row, null, isRead).withLastQuota(lookUp.last)
        : CallerProfile.of(own, row, found.quotas.get(rowKey), isRead);
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
    waiting.forEach(each -> each.complete(each.last));
  }
}
