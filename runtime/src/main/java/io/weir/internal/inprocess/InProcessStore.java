package io.weir.internal.inprocess;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Ticker;
import io.weir.internal.permits.ImmediateStore;
import io.weir.internal.permits.RequestDecision;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.ExactBuckets;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A store that keeps its buckets in the memory of this process and answers at once.
 *
 * <p><b>How this works.</b> The simplest idea is a cache that evicts the least used bucket; its
 * flaw is that an evicted bucket begins anew, so flooding the store with keys would buy fresh
 * limits. Here a bucket is dropped only when it equals a fresh one, which its algorithm knows to
 * the microsecond. When the store is full, further buckets are counted in a {@linkplain
 * OverflowSketch sketch}: small entries, {@value #ENTRIES} for each bucket that the store holds,
 * but no more than {@value #MAX_ENTRIES}. When those are full too, callers share entries: then one
 * may be refused for what others used, but none gets more than the limit. A general cache offers no
 * such veto, so this is a {@link java.util.concurrent.ConcurrentHashMap} with a hand that goes
 * round and checks a few buckets at a time: a few dozen for each new bucket that finds the store
 * full, and as many every {@value #SWEEP_MICROS} microseconds of traffic. There is no thread and no
 * timer, and a hit costs no bookkeeping.
 *
 * <p>Each claim runs within the monitor of its bucket, for well under a microsecond, since nothing
 * in there waits; most admissions by a bucket in steady use need none, nor do most refusals. A
 * bucket is sealed as it is dropped; a thread that finds a sealed one looks the bucket up again, so
 * that no charge is lost and no bucket exists twice.
 *
 * <p>The store's clock is the time of day at its creation plus what has elapsed since, so that
 * windows since the epoch match the wall clock. Setting the wall clock back changes nothing; if it
 * is ahead by more than a second, as after the machine was suspended, the store's clock moves
 * forward.
 *
 * <p>Safe for concurrent use.
 */
public final class InProcessStore implements ImmediateStore {
  private static final int GROUPS = 256;

  /** Bits of the hash that serve nothing else. */
  private static final int GROUP_SHIFT = 30;

  private static final int ENTRIES = 20;
  private static final int MAX_ENTRIES = 2_000_000;
  private static final int SWEEP_MICROS = 10_000;
  private static final int SWEEP_CHECKS = 64;

  private final SteadyClock clock;
  private final BucketSlots slots;
  private final InProcessExactBuckets exact;
  private final OverflowBuckets[] overflow;
  private final OverflowHash hash;
  private final int maxBuckets;
  private final AtomicReference<@Nullable Runnable> whenFull = new AtomicReference<>();
  private final AtomicLong nextSweep = new AtomicLong();
  private volatile boolean closed;

  /**
   * Makes an empty store.
   *
   * @param maxBuckets the number of buckets held, 1 and more; further ones are counted in tables of
   *     a fixed size
   * @throws IllegalArgumentException if maxBuckets is less than 1
   */
  public InProcessStore(Ticker ticker, int maxBuckets) {
    this(
        ticker, maxBuckets, GROUPS, entries(maxBuckets, GROUPS), new SplittableRandom().nextLong());
  }

  /**
   * Makes a store with this many groups of overflow buckets, a power of two, and without chance.
   */
  InProcessStore(Ticker ticker, int maxBuckets, int groups) {
    this(ticker, maxBuckets, groups, entries(maxBuckets, groups), 0);
  }

  /** Makes a store whose groups have tables of so many entries. */
  InProcessStore(Ticker ticker, int maxBuckets, int groups, int entries, long seed) {
    if (maxBuckets < 1) {
      throw new IllegalArgumentException("maxBuckets must be at least 1, not " + maxBuckets);
    }
    this.clock = new SteadyClock(ticker);
    this.maxBuckets = maxBuckets;
    this.hash = new OverflowHash(seed);
    slots = new BucketSlots(maxBuckets);
    exact = new InProcessExactBuckets(clock, maxBuckets);
    overflow = new OverflowBuckets[groups];
    long now = clock.micros();
    for (int i = 0; i < groups; i++) {
      overflow[i] = new OverflowBuckets(slots, now, entries, this::reportFull);
    }
  }

  private static int entries(int maxBuckets, int groups) {
    long all = Math.min(MAX_ENTRIES, (long) ENTRIES * maxBuckets);
    return (int) Math.max(OverflowCountTable.WAYS, all / groups);
  }

  /**
   * Sets what runs once, as soon as a bucket finds no place among the first {@link #maxBuckets()}
   * and is counted in a table of a fixed size.
   *
   * @param report must not block
   */
  public void whenFull(Runnable report) {
    whenFull.set(report);
  }

  private void reportFull() {
    if (whenFull.get() != null) {
      Runnable report = whenFull.getAndSet(null);
      if (report != null) {
        report.run();
      }
    }
  }

  /** Returns 1 and more. */
  public int maxBuckets() {
    return maxBuckets;
  }

  /** Executes claims at once, in order; completed exceptionally once the store is closed. */
  @Override
  public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    if (closed) {
      return CompletableFuture.failedFuture(new IllegalStateException("the store is closed"));
    }
    if (claims.size() == 1) {
      return CompletableFuture.completedFuture(List.of(Optional.of(execute(claims.get(0)))));
    }
    List<Optional<Grant>> grants = new ArrayList<>(claims.size());
    for (Claim claim : claims) {
      grants.add(Optional.of(execute(claim)));
    }
    return CompletableFuture.completedFuture(Collections.unmodifiableList(grants));
  }

  /**
   * Decides by what time alone doesn't change for a while: permits of a busy bucket, or a refusal.
   */
  @Override
  public @Nullable Decision decideNow(RequestTerms terms, Key key) {
    if (closed) {
      return null;
    }
    long now = clock.micros();
    sweepNowAndThen(now);
    BucketSlot slot = slots.find(new BucketId(terms.policy().spec(), key));
    return slot == null ? null : slot.decide(terms, key, now);
  }

  @Override
  public @Nullable List<Decision> decideNow(List<RequestTerms> allTerms, List<Key> keys) {
    if (closed) {
      return null;
    }
    long now = clock.micros();
    sweepNowAndThen(now);
    List<BucketSlot> asked = wouldAdmit(allTerms, keys, now);
    return asked == null ? null : take(asked, allTerms, keys, now);
  }

  private @Nullable List<BucketSlot> wouldAdmit(
      List<RequestTerms> allTerms, List<Key> keys, long now) {
    List<BucketSlot> asked = new ArrayList<>(allTerms.size());
    for (int i = 0; i < allTerms.size(); i++) {
      RequestTerms terms = allTerms.get(i);
      BucketSlot slot = slots.find(new BucketId(terms.policy().spec(), keys.get(i)));
      if (slot == null || !slot.wouldAdmit(terms, now)) {
        return null;
      }
      asked.add(slot);
    }
    return asked;
  }

  private @Nullable List<Decision> take(
      List<BucketSlot> asked, List<RequestTerms> allTerms, List<Key> keys, long now) {
    List<Decision> parts = new ArrayList<>(asked.size());
    for (int i = 0; i < asked.size(); i++) {
      Decision part = asked.get(i).admit(allTerms.get(i), keys.get(i), now);
      if (part == null) { // another thread was faster
        giveBack(parts, allTerms);
        return null;
      }
      parts.add(part);
    }
    return parts;
  }

  private void giveBack(List<Decision> parts, List<RequestTerms> allTerms) {
    for (int i = 0; i < parts.size(); i++) {
      RequestDecision part = RequestDecision.cast(parts.get(i));
      RequestTerms terms = allTerms.get(i);
      BucketId bucket = new BucketId(part.policy().spec(), part.key());
      List<GiveBack> back = List.of(new GiveBack(part.stamp(), part.permits()));
      execute(Claim.builder(bucket, terms.effectiveLimit(), terms.burst()).giveBacks(back).build());
    }
  }

  @Override
  public @Nullable Grant executeNow(Claim claim) {
    return closed ? null : execute(claim);
  }

  /**
   * Forgets a bucket at once, but not what it used while it had no place among the first {@link
   * #maxBuckets()}.
   */
  @Override
  public CompletionStage<?> forget(BucketId bucket) {
    slots.forget(bucket);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public boolean counts(BucketSpec spec) {
    return true;
  }

  /** Holds as many exactly counted buckets as buckets of policies. */
  @Override
  public Optional<ExactBuckets> exactBuckets() {
    return Optional.of(exact);
  }

  @Override
  public long size() {
    return slots.size() + exact.size();
  }

  /** Forgets all buckets. Idempotent. */
  @Override
  public void close() {
    closed = true;
    slots.clear();
    exact.close();
  }

  private Grant execute(Claim claim) {
    while (true) {
      long now = clock.micros();
      sweepNowAndThen(now);
      BucketSlot slot = slots.find(claim.bucket());
      if (slot == null) {
        long hashed = hash.of(claim.bucket());
        OverflowBuckets group = overflow[(int) (hashed >>> GROUP_SHIFT) & (overflow.length - 1)];
        synchronized (group) {
          if (!slots.holds(claim.bucket())) {
            // Not the earlier time: the bucket may have been dropped as fresh since then.
            return group.execute(claim, hashed, clock.micros());
          }
        }
      } else {
        Grant grant = slot.execute(claim, now);
        if (grant != null) {
          return grant;
        }
      }
    }
  }

  private void sweepNowAndThen(long now) {
    long due = nextSweep.get();
    if (now >= due && nextSweep.compareAndSet(due, now + SWEEP_MICROS)) {
      slots.sweep(SWEEP_CHECKS, now);
    }
  }
}
