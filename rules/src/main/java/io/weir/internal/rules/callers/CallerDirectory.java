package io.weir.internal.rules.callers;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.Ticker;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the database says of callers, kept in bounded memory.
 *
 * <p>A caller is looked up when it is first met, when its row has changed, and after an hour. While
 * the database is away, what was last known holds, until memory needs its place. A look-up reads
 * the rows of up to {@value CallerRowReader#MOST} callers by one statement; all who wait for one caller
 * share it, and nobody waits longer than the time-out. After three failed ones nobody waits at all,
 * until one has succeeded in the background, in time.
 *
 * <p><b>The race after a change.</b> What a look-up reads may be older than a change that is told
 * while it runs. So {@link #drop} takes the caller out of running look-ups: what they bring answers
 * those who wait already, and isn't kept.
 *
 * <p>Never blocks. Safe for concurrent use.
 */
public final class CallerDirectory implements AutoCloseable {
  private static final long KEPT_NANOS = TimeUnit.HOURS.toNanos(1);

  private static final CompletableFuture<CallerProfile> NO_ROW =
      CompletableFuture.completedFuture(CallerProfile.noRow());

  private final Ticker ticker;
  private final Cache<CallerId, CachedCaller> cache;
  private final LookUpQueue lookUps;

  /** So that all callers can be dropped at once, and still be known as they were last. */
  private volatile int generation;

  /** What is known of a caller. */
  private static final class CachedCaller {
    private final CallerProfile profile;
    private final String rowKey;
    private final long readAt;
    private final int generation;
    private volatile boolean dropped;

    CachedCaller(CallerProfile profile, String rowKey, long readAt, int generation) {
      this.profile = profile;
      this.rowKey = rowKey;
      this.readAt = readAt;
      this.generation = generation;
    }
  }

  /**
   * Knows nobody yet.
   *
   * @param rows reads the database
   * @param most how many callers to keep
   * @param timeout how long a request waits for a look-up
   * @param ticker says when an hour is over
   */
  public CallerDirectory(CallerRowReader rows, long most, Duration timeout, Ticker ticker) {
    this.ticker = ticker;
    this.cache = Caffeine.newBuilder().maximumSize(most).executor(Runnable::run).build();
    this.lookUps = new LookUpQueue(rows, timeout, this::keep);
  }

  /**
   * Rehearses look-ups in this thread, so that the first callers needn't wait for what is slow only
   * once. For the start: it takes as long as the database does.
   */
  public void rehearse() {
    lookUps.rehearse();
  }

  /**
   * What the database says of a caller.
   *
   * @param caller who; nothing for one that can't have a row
   * @return completed already if it is cached, or nobody waits; else at the latest after the
   *     time-out, never exceptionally: where the database couldn't say it, with what was last
   *     known, which isn't {@linkplain CallerProfile#isCurrent() current}
   */
  public CompletionStage<CallerProfile> find(Optional<CallerId> caller) {
    return find(caller, any -> true);
  }

  /**
   * The same for somebody who needs more than others: what isn't enough is looked up again.
   *
   * @param caller who; nothing for one that can't have a row
   * @param isEnough whether what is cached is
   * @return as {@link #find(Optional)}; if the look-up fails, perhaps with less than enough
   */
  public CompletionStage<CallerProfile> find(
      Optional<CallerId> caller, Predicate<CallerProfile> isEnough) {
    return caller.isEmpty() ? NO_ROW : find(caller.get(), isEnough);
  }

  /**
   * What is cached of a caller: the same as {@link #find(Optional, Predicate)} where that needn't
   * look anything up, as for most requests.
   *
   * @param caller who; nothing for one that can't have a row
   * @param isEnough whether what is cached is
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
      CallerId caller, Predicate<CallerProfile> isEnough) {
    CachedCaller known = cache.getIfPresent(caller);
    if (known != null && isFresh(known) && isEnough.test(known.profile)) {
      return CompletableFuture.completedFuture(known.profile);
    }
    CallerProfile last = known == null ? CallerProfile.unknown() : known.profile.lastKnown();
    return lookUps.find(caller, last);
  }

  private boolean isFresh(CachedCaller known) {
    return !known.dropped
        && known.generation == generation
        && ticker.nanoTime() - known.readAt < KEPT_NANOS;
  }

  /** Keeps what a look-up has brought; called while nothing can be dropped. */
  private void keep(CallerId caller, String rowKey, CallerProfile profile) {
    cache.put(caller, new CachedCaller(profile, rowKey, ticker.nanoTime(), generation));
  }

  /**
   * Has a caller looked up again, when it is met next.
   *
   * @param caller who
   */
  public void drop(CallerId caller) {
    String rowKey = caller.rowKey();
    lookUps.drop(rowKey::equals, () -> dropCached(caller));
  }

  /**
   * Has callers looked up again, since their rows have changed.
   *
   * @param userIds the keys of the rows
   */
  public void drop(Collection<String> userIds) {
    Set<String> changed = Set.copyOf(userIds);
    lookUps.drop(
        changed::contains,
        () -> {
          changed.forEach(this::dropCached);
          // Keys are kept by their texts, and those aren't known from digests.
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

  /** Has all callers looked up again, when they are met next. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // never by two at once: look-ups are locked
  public void dropAll() {
    lookUps.drop(any -> true, () -> generation++);
  }

  /**
   * How many callers are kept.
   *
   * @return an estimate, at most a few more than were asked for
   */
  public long size() {
    cache.cleanUp();
    return cache.estimatedSize();
  }

  /** Looks nobody up any more; who is cached stays known. Idempotent. */
  @Override
  public void close() {
    lookUps.close();
  }
}
