package io.weir.internal.inprocess;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Ticker;
import io.weir.internal.permits.ImmediateStore;
import io.weir.internal.permits.PolicyTerms;
import io.weir.internal.permits.RequestDecision;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that keeps its buckets in the memory of this process and answers at once.
 *
 * <p><b>How this works.</b> The simplest idea is a cache that evicts what is used least; its flaw
 * is that an evicted bucket begins anew, so that whoever floods the store with keys buys itself
 * fresh limits. Here a bucket is dropped only when it equals a fresh one, which its algorithm knows
 * to the microsecond, and at the bound overflow share overflow buckets by the hash of their key,
 * {@value #GROUPS} for each spec: then a caller may be refused for what others used, but nobody
 * gets more than the limit. (A store that is {@linkplain #counting made to count} each of them does
 * so in a sketch.) A general cache offers no such veto, so this is a {@link
 * java.util.concurrent.ConcurrentHashMap} with a hand that goes round and checks a few buckets at a
 * time: a few dozen for each newcomer that finds the store full, and as many every {@value
 * #SWEEP_MICROS} microseconds of traffic. No thread, no timer, and a hit costs no bookkeeping.
 *
 * <p>Each claim runs within the monitor of its bucket, for well under a microsecond, as nothing in
 * there waits; most admissions by a bucket in steady use need none, nor do most refusals. A bucket
 * is sealed as it is dropped; a thread that meets a sealed one looks the bucket up again, so that
 * no charge is lost and no bucket is ever there twice.
 *
 * <p>The store's clock is the time of day at its making plus what has elapsed since, so that
 * windows of the epoch are those of the wall. A wall clock that is set back changes nothing; one
 * that is ahead by more than a second, as after the machine was suspended, moves it forward.
 *
 * <p>Safe for concurrent use.
 */
public final class InProcessStore implements ImmediateStore {
  private static final int GROUPS = 256;
  private static final int SWEEP_MICROS = 10_000;
  private static final int SWEEP_CHECKS = 64;

  private final SteadyClock clock;
  private final BucketSlots slots;
  private final InProcessExactBuckets exact;
  private final OverflowBuckets[] overflow;
  private final AtomicLong nextSweep = new AtomicLong();
  private volatile boolean closed;

  /**
   * Makes an empty store.
   *
   * @param ticker the source of time
   * @param maxBuckets how many buckets are held, 1 and more; beyond that overflow share
   * @throws IllegalArgumentException if maxBuckets is less than 1
   */
  public InProcessStore(Ticker ticker, int maxBuckets) {
    this(ticker, maxBuckets, GROUPS);
  }

  /** The same with so many groups of overflow, a power of two. */
  InProcessStore(Ticker ticker, int maxBuckets, int groups) {
    this(new SteadyClock(ticker), maxBuckets, groups, SharedOverflow::new);
  }

  private InProcessStore(
      SteadyClock clock, int maxBuckets, int groups, Supplier<? extends Overflow> beyond) {
    if (maxBuckets < 1) {
      throw new IllegalArgumentException("maxBuckets must be at least 1, not " + maxBuckets);
    }
    this.clock = clock;
    slots = new BucketSlots(maxBuckets);
    exact = new InProcessExactBuckets(clock, maxBuckets);
    overflow = new OverflowBuckets[groups];
    for (int i = 0; i < groups; i++) {
      overflow[i] = new OverflowBuckets(slots, beyond.get());
    }
  }

  /**
   * Makes an empty store that counts buckets beyond its bound one by one, in tables of a fixed size
   * in which a few may be taken for others: for a node that is cut off, where many callers come
   * that it hasn't seen before, and each is to have its share.
   *
   * @param ticker the source of time
   * @param maxBuckets how many buckets are held, 1 and more
   * @param whenFull run once, when the first bucket is counted beyond those; must not block
   * @return a store
   * @throws IllegalArgumentException if maxBuckets is less than 1
   */
  public static InProcessStore counting(Ticker ticker, int maxBuckets, Runnable whenFull) {
    return counting(ticker, maxBuckets, OverflowSketch.COLUMN_BITS, whenFull);
  }

  /** The same with tables of another size. */
  static InProcessStore counting(Ticker ticker, int maxBuckets, int columnBits, Runnable whenFull) {
    SteadyClock clock = new SteadyClock(ticker);
    OverflowSketch sketch = new OverflowSketch(clock.micros(), columnBits, whenFull);
    return new InProcessStore(clock, maxBuckets, GROUPS, () -> sketch);
  }

  /**
   * Executes claims at once, in order.
   *
   * @param claims see {@link io.weir.store.PermitStore#execute}
   * @return a completed stage; completed exceptionally once the store is closed
   */
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

  /** By what time alone doesn't change for a while: permits of a busy bucket, or a refusal. */
  @Override
  public @Nullable Decision decideNow(PolicyTerms terms, Key key) {
    if (closed) {
      return null;
    }
    long now = clock.micros();
    sweepNowAndThen(now);
    BucketSlot slot = slots.find(new BucketId(terms.policy().spec(), key));
    return slot == null ? null : slot.decide(terms, key, now);
  }

  @Override
  public @Nullable List<Decision> decideNow(List<PolicyTerms> allTerms, List<Key> keys) {
    if (closed) {
      return null;
    }
    long now = clock.micros();
    sweepNowAndThen(now);
    List<BucketSlot> asked = wouldAdmit(allTerms, keys, now);
    return asked == null ? null : take(asked, allTerms, keys, now);
  }

  private @Nullable List<BucketSlot> wouldAdmit(
      List<PolicyTerms> allTerms, List<Key> keys, long now) {
    List<BucketSlot> asked = new ArrayList<>(allTerms.size());
    for (int i = 0; i < allTerms.size(); i++) {
      PolicyTerms terms = allTerms.get(i);
      BucketSlot slot = slots.find(new BucketId(terms.policy().spec(), keys.get(i)));
      if (slot == null || !slot.wouldAdmit(terms, now)) {
        return null;
      }
      asked.add(slot);
    }
    return asked;
  }

  private @Nullable List<Decision> take(
      List<BucketSlot> asked, List<PolicyTerms> allTerms, List<Key> keys, long now) {
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

  private void giveBack(List<Decision> parts, List<PolicyTerms> allTerms) {
    for (int i = 0; i < parts.size(); i++) {
      RequestDecision part = RequestDecision.cast(parts.get(i));
      PolicyTerms terms = allTerms.get(i);
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
   * Forgets a bucket at once. In a store that has been full the next request of it begins, as those
   * of all newcomers do, with what was used in the overflow bucket that it falls into.
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

  /** As many again as there are buckets of policies. */
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
        OverflowBuckets group = group(claim.bucket());
        synchronized (group) {
          if (!slots.holds(claim.bucket())) {
            // Not the time of before: the bucket may have been dropped as fresh since then.
            return group.execute(claim, clock.micros());
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

  private OverflowBuckets group(BucketId bucket) {
    int hash = bucket.hashCode();
    return overflow[(hash ^ hash >>> 16) & (overflow.length - 1)];
  }

  private void sweepNowAndThen(long now) {
    long due = nextSweep.get();
    if (now >= due && nextSweep.compareAndSet(due, now + SWEEP_MICROS)) {
      slots.sweep(SWEEP_CHECKS, now);
    }
  }
}
