package io.weir.internal.rules.callers;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.Ticker;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.rules.tier.UserTier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Caches the profiles of callers in bounded memory.
 *
 * <p>A caller is looked up at its first request, when its row has changed, and after an hour. While
 * the database is unavailable, the last known profile holds until it is evicted. A look-up reads
 * the rows of up to {@value CallerRowReader#MAX_USERS} callers by one statement. All requests of a
 * caller share its look-up, and none waits longer than the time-out. After three failures no
 * request waits at all, until a look-up in the background has succeeded in time.
 *
 * <p><b>Changes during a look-up.</b> A running look-up may have read a row before it changed. So
 * {@link #drop} takes the caller out of running look-ups: their result answers the requests that
 * already wait, and isn't cached.
 *
 * <p><b>Tables that Weir didn't make</b> report no changes. So the rows of callers that were asked
 * for are compared each second, and a caller whose row wasn't compared within 2.5 s is looked up
 * again before its next decision.
 *
 * <p>Never blocks. Safe for concurrent use.
 */
public final class CallerProfileCache implements AutoCloseable {
  private static final long KEPT_NANOS = TimeUnit.HOURS.toNanos(1);

  /** The most own limits of callers that are compared at once, for memory. */
  private static final int MAX_COMPARED_LIMITS = 10_000;

  /** As many own limits of a caller are free; each further one counts as a caller, for memory. */
  private static final int FREE_LIMITS = 10;

  /** As many callers fit at least, however many limits each has. */
  private static final int LARGE_CALLERS = 4;

  private static final String NO_USER = "";

  private static final CompletableFuture<CallerProfile> NO_ROW =
      CompletableFuture.completedFuture(CallerProfile.noRow());

  /** Callers with foreign rows are looked up again unless these were compared within this time. */
  private static final long COMPARED_NANOS = TimeUnit.MILLISECONDS.toNanos(2_500);

  /** The time after which a foreign row is looked up again that couldn't be read. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final CallerRowReader rows;
  private final Ticker ticker;
  private final Cache<CallerId, CachedCaller> cache;
  private final LookUpQueue lookUps;

  /** The callers that are still to be compared in this round. */
  private Iterator<CachedCaller> comparing = Collections.emptyIterator();

  private final Map<CallerId, CachedCaller> differing = new HashMap<>();

  /** Whether there are foreign rows, which no feed reports. */
  private volatile boolean comparesForeign;

  /** Whether foreign rows can't be read now, so that those known hold. */
  private volatile boolean isForeignAway;

  /**
   * Whether a batch is being compared, and since when: while the database hangs, known rows hold.
   */
  private volatile boolean isComparing;

  private volatile long batchBegan;

  /** The callers asked for since their foreign rows were compared last. */
  private final Queue<CachedCaller> asked = new ConcurrentLinkedQueue<>();

  /** Drops all callers at once when it changes; their last known profiles stay. */
  private volatile int generation;

  /** Holds the profile of a caller, and when it was read. */
  private static final class CachedCaller {
    private final CallerId caller;
    private final CallerProfile profile;
    private final String rowKey;
    private final long readAt;
    private final int generation;
    private volatile boolean dropped;

    /** Whether it is in the queue of callers asked for. */
    private volatile boolean asked;

    /** When its foreign row was read or compared last. */
    private volatile long comparedAt;

    CachedCaller(
        CallerId caller, CallerProfile profile, String rowKey, long readAt, int generation) {
      this.caller = caller;
      this.comparedAt = readAt;
      this.profile = profile;
      this.rowKey = rowKey;
      this.readAt = readAt;
      this.generation = generation;
    }
  }

  /**
   * Creates an empty cache.
   *
   * @param capacity the number of callers to keep; fewer if they have many own limits
   * @param timeout the longest wait of a request for a look-up
   * @param quotaTimeout the longest wait of a request that can't be decided without it
   */
  public CallerProfileCache(
      CallerRowReader rows, long capacity, Duration timeout, Duration quotaTimeout, Ticker ticker) {
    this.rows = rows;
    this.ticker = ticker;
    this.cache =
        Caffeine.newBuilder()
            .maximumWeight(capacity)
            .weigher((CallerId caller, CachedCaller cached) -> weight(cached, capacity))
            .executor(Runnable::run)
            .build();
    // Look-ups wait in real time, so their clock is always the system's.
    this.lookUps =
        new LookUpQueue(
            rows,
            timeout,
            quotaTimeout,
            Ticker.system(),
            this::keep,
            DaemonThreadFactory.ofApplication("weir-rules-callers"));
  }

  private static int weight(CachedCaller cached, long capacity) {
    long counted = 1L + Math.max(0, cached.profile.ownLimitCount() - FREE_LIMITS);
    return (int) Math.min(counted, Math.max(1, capacity / LARGE_CALLERS));
  }

  /**
   * Warms up look-ups in the calling thread, since the first ones are slow. For the start: it takes
   * as long as the database does.
   */
  public void warmUp() {
    lookUps.warmUp();
  }

  /**
   * Finds the profile of a caller.
   *
   * @param caller the caller; empty if it can't have a row
   * @return completed already if the profile is cached, or after too many failures; else within the
   *     time-out, never exceptionally: if the look-up fails, with the last known profile, which
   *     isn't {@linkplain CallerProfile#isCurrent() current}
   */
  public CompletionStage<CallerProfile> find(Optional<CallerId> caller) {
    return find(caller, any -> true);
  }

  /**
   * Finds the profile of a caller, and looks it up again if the cached one isn't sufficient.
   *
   * @return as {@link #find(Optional)}; if the look-up fails, the profile may be insufficient
   */
  public CompletionStage<CallerProfile> find(
      Optional<CallerId> caller, Predicate<CallerProfile> isEnough) {
    return find(caller, isEnough, any -> true);
  }

  /**
   * Finds the profile of a caller, and looks it up again if the cached one isn't sufficient. If the
   * last known one doesn't decide, the request waits by the time-out of quotas.
   *
   * @param decides whether the last known profile decides if the look-up fails or takes too long
   * @return as {@link #find(Optional)}; if the look-up fails, the profile may be insufficient
   */
  public CompletionStage<CallerProfile> find(
      Optional<CallerId> caller,
      Predicate<CallerProfile> isEnough,
      Predicate<CallerProfile> decides) {
    return caller.isEmpty() ? NO_ROW : find(caller.get(), isEnough, decides);
  }

  /**
   * Returns what {@link #find(Optional, Predicate)} finds without a look-up, as for most requests.
   *
   * @return null if the caller has to be looked up
   */
  public @Nullable CallerProfile cached(
      Optional<CallerId> caller, Predicate<CallerProfile> isEnough) {
    if (caller.isEmpty()) {
      return CallerProfile.noRow();
    }
    CachedCaller known = cache.getIfPresent(caller.get());
    return known != null && isFresh(known) && isEnough.test(known.profile) ? known.profile : null;
  }

  private CompletableFuture<CallerProfile> find(
      CallerId caller, Predicate<CallerProfile> isEnough, Predicate<CallerProfile> decides) {
    CachedCaller known = cache.getIfPresent(caller);
    if (known != null && isFresh(known) && isEnough.test(known.profile)) {
      return CompletableFuture.completedFuture(known.profile);
    }
    CallerProfile last = known == null ? CallerProfile.unknown() : known.profile.lastKnown();
    return lookUps.find(caller, last, decides);
  }

  private boolean isFresh(CachedCaller known) {
    long now = ticker.nanoTime();
    return !known.dropped
        && known.generation == generation
        && now - known.readAt < KEPT_NANOS
        && (!comparesForeign || isForeignFresh(known, now));
  }

  private boolean isForeignFresh(CachedCaller known, long now) {
    if (!known.profile.isCurrent()) {
      return now - known.readAt < RETRY_NANOS;
    }
    if (now - known.comparedAt >= COMPARED_NANOS && !isForeignAway && !isBatchSlow(now)) {
      return false;
    }
    if (!known.asked) {
      known.asked = true;
      asked.add(known);
    }
    return true;
  }

  private boolean isBatchSlow(long now) {
    return isComparing && now - batchBegan >= RETRY_NANOS;
  }

  /**
   * Reads the foreign rows again of all callers that were asked for since the last call, {@value
   * CallerRowReader#MAX_USERS} at a time, and has those looked up again whose rows differ. While
   * they can't be read, the known ones hold. Call it each second, from one thread; throws nothing.
   */
  public void compareForeign() {
    if (!rows.hasForeign()) {
      return;
    }
    if (!comparesForeign) {
      comparesForeign = true;
      dropAll(); // they were looked up without foreign rows
    }
    Map<String, List<CachedCaller>> batch = new HashMap<>();
    boolean isAway = false;
    do {
      batch.clear();
      CachedCaller next = asked.poll();
      while (next != null) {
        next.asked = false;
        batch.computeIfAbsent(next.rowKey, any -> new ArrayList<>(1)).add(next);
        next = batch.size() < CallerRowReader.MAX_USERS ? asked.poll() : null;
      }
      isAway = (isForeignAway || !batch.isEmpty()) && !compare(batch);
    } while (!isAway && batch.size() >= CallerRowReader.MAX_USERS);
    isForeignAway = isAway;
  }

  /** Returns whether the foreign rows could be read. */
  private boolean compare(Map<String, List<CachedCaller>> batch) {
    long before = ticker.nanoTime();
    batchBegan = before;
    isComparing = true;
    Optional<ForeignUsers> read =
        rows.foreign(batch.isEmpty() ? List.of(NO_USER) : batch.keySet(), false);
    isComparing = false;
    if (read.isEmpty()) {
      return false;
    }
    List<String> changed = new ArrayList<>();
    batch.forEach(
        (rowKey, cached) -> {
          Optional<UserTier> now = Optional.ofNullable(read.get().rows().get(rowKey));
          boolean isUnusable = read.get().unusable().contains(rowKey);
          for (CachedCaller each : cached) {
            if (isUnusable || each.profile.foreign().equals(now)) {
              each.comparedAt = before;
            } else {
              changed.add(rowKey);
            }
          }
        });
    if (!changed.isEmpty()) {
      drop(changed);
    }
    return true;
  }

  /** Caches the result of a look-up; called under the lock of look-ups. */
  private void keep(CallerId caller, String rowKey, CallerProfile profile) {
    cache.put(caller, new CachedCaller(caller, profile, rowKey, ticker.nanoTime(), generation));
  }

  public void drop(CallerId caller) {
    String rowKey = caller.rowKey();
    lookUps.drop(rowKey::equals, () -> dropCached(caller));
  }

  /**
   * Has callers whose rows have changed looked up again at their next requests.
   *
   * @param userIds the keys of the rows
   */
  public void drop(Collection<String> userIds) {
    Set<String> changed = Set.copyOf(userIds);
    lookUps.drop(
        changed::contains,
        () -> {
          changed.forEach(this::dropCached);
          // Keys are cached by their texts, which digests don't reveal.
          if (changed.stream().anyMatch(CallerId::isDigest)) {
            cache.asMap().values().stream()
                .filter(each -> changed.contains(each.rowKey))
                .forEach(each -> each.dropped = true);
          }
        });
  }

  private void dropCached(String userId) {
    CallerId.user(userId).ifPresent(this::dropCached);
    CallerId.plainKey(userId).ifPresent(this::dropCached);
  }

  private void dropCached(CallerId caller) {
    CachedCaller known = cache.getIfPresent(caller);
    if (known != null) {
      known.dropped = true;
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // only under the lock of look-ups
  public void dropAll() {
    lookUps.drop(any -> true, () -> generation++);
  }

  /**
   * Reads the rows of some cached callers again, and notes those that differ. One thread alone may
   * call this, and {@link #dropMissed}.
   *
   * @throws io.weir.rules.problem.RulesUnavailableException if the database can't be reached
   */
  public void compareSome() {
    differing.clear();
    Map<String, CachedCaller> some = nextToCompare();
    if (some.isEmpty()) {
      return;
    }
    Map<String, CallerProfile> now = lookUps.readAgain(List.copyOf(some.keySet()));
    some.forEach(
        (rowKey, known) -> {
          CallerProfile profile = now.get(rowKey);
          if (profile != null && !known.profile.hasRowsOf(profile)) {
            differing.put(known.caller, known);
          }
        });
  }

  /** Returns cached callers by the keys of their rows: all of them, one part after another. */
  private Map<String, CachedCaller> nextToCompare() {
    if (!comparing.hasNext()) {
      comparing = cache.asMap().values().iterator();
    }
    Map<String, CachedCaller> some = new HashMap<>();
    int limits = 0;
    while (comparing.hasNext()
        && some.size() < CallerRowReader.MAX_USERS
        && limits < MAX_COMPARED_LIMITS) {
      CachedCaller next = comparing.next();
      if (isFresh(next)) {
        some.put(next.rowKey, next);
        limits += next.profile.ownLimitCount();
      }
    }
    return some;
  }

  /**
   * Drops the callers that {@link #compareSome} found to differ, unless they have been dropped or
   * looked up since.
   *
   * @return whether there were any
   */
  public boolean dropMissed() {
    boolean isAny = false;
    for (CachedCaller each : differing.values()) {
      if (isFresh(each) && cache.getIfPresent(each.caller) == each) {
        each.dropped = true;
        isAny = true;
      }
    }
    differing.clear();
    return isAny;
  }

  /** Estimates the number of cached callers: at most a little above the capacity. */
  public long size() {
    cache.cleanUp();
    return cache.estimatedSize();
  }

  /** Stops look-ups; cached profiles stay. Idempotent. */
  @Override
  public void close() {
    lookUps.close();
  }
}
