package io.weir.internal.writeback;

import io.weir.Ticker;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.DataLossException;
import io.weir.store.Epoch;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.LiveBucket;
import io.weir.store.Membership;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;

/** A store in memory that counts right, and answers at once, when the test says so, or never. */
public final class HandStore implements LeasingStore {
  public static final long MIN_LIFE = 5_000;

  public enum Manner {
    AT_ONCE,
    BY_HAND,
    FAILS,
    LOSES_ANSWERS,
    LOSES_CLAIMS,
    THROWS
  }

  private final Ticker ticker;
  private final BucketArithmetic arithmetic = BucketArithmetic.leasing(MIN_LIFE);
  private final Map<BucketId, LiveBucket> states = new HashMap<>();
  private final List<Runnable> held = new ArrayList<>();
  public final List<List<Claim>> batches = new ArrayList<>();
  public volatile Manner manner = Manner.AT_ONCE;
  public final Map<Integer, Epoch> epochs = new HashMap<>();
  public final List<Epoch> known = new ArrayList<>();
  public ToIntFunction<BucketId> partitions = bucket -> 0;

  /** Partitions without buckets. */
  public final Set<Integer> gone = new HashSet<>();

  /** For how many microseconds it has owed an answer. */
  public long silent = -1;

  public UnaryOperator<List<Optional<Grant>>> spoils = answers -> answers;
  public Membership membership = new Membership(1, Membership.WHOLE);
  public boolean heartbeats = true;
  public int hearts;
  public Manner heart = Manner.AT_ONCE;
  public boolean tells = true;

  /** Whether it lends for long; for nodes that are made after that is set. */
  public boolean farLeases;

  /** Whether the test decides when it reports its epoch. */
  public boolean tellsByHand;

  public long granted;
  public long giveBacks;
  public boolean left;
  public boolean closed;

  public HandStore(Ticker ticker) {
    this.ticker = ticker;
  }

  @Override
  public CompletionStage<?> forget(BucketId bucket) {
    states.remove(bucket);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public boolean grantsFarLeases() {
    return farLeases;
  }

  @Override
  public long silentMicros(int partition) {
    return silent;
  }

  @Override
  public boolean hasPartition(int partition) {
    return !gone.contains(partition);
  }

  /** A store that reports no epoch, unless {@link #begin} sets that of a partition. */
  @Override
  public CompletionStage<Epoch> epoch(int partition, Epoch last) {
    known.add(last);
    if (!tells) {
      return CompletableFuture.failedFuture(new IllegalStateException("reports no epoch"));
    }
    Epoch told = epochs.getOrDefault(partition, Epoch.NONE);
    if (!tellsByHand) {
      return CompletableFuture.completedFuture(told);
    }
    CompletableFuture<Epoch> answer = new CompletableFuture<>();
    held.add(() -> answer.complete(told));
    return answer;
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(
      int partition, Epoch epoch, List<Claim> claims) {
    return epochs.getOrDefault(partition, Epoch.NONE).is(epoch)
        ? execute(claims)
        : CompletableFuture.failedFuture(new DataLossException());
  }

  /** From now on a partition has data of this name. */
  public void begin(int partition, String id) {
    epochs.put(partition, new Epoch(id, 0, 0, false));
  }

  /** Loses the data of a partition, in whose place is now another. */
  public void wipe(int partition, String id) {
    states.keySet().removeIf(bucket -> partition(bucket) == partition);
    epochs.put(partition, new Epoch(id, 0, 0, true));
  }

  @Override
  public synchronized CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    batches.add(claims);
    return switch (manner) {
      case AT_ONCE -> CompletableFuture.completedFuture(executeAll(claims));
      case BY_HAND -> hold(claims);
      case FAILS -> CompletableFuture.failedFuture(new IllegalStateException("failed"));
      case LOSES_ANSWERS -> {
        executeAll(claims);
        yield new CompletableFuture<>();
      }
      case LOSES_CLAIMS -> new CompletableFuture<>();
      case THROWS -> throw new IllegalStateException("thrown");
    };
  }

  private CompletionStage<List<Optional<Grant>>> hold(List<Claim> claims) {
    List<Optional<Grant>> grants = executeAll(claims);
    CompletableFuture<List<Optional<Grant>>> answer = new CompletableFuture<>();
    held.add(() -> answer.complete(grants));
    return answer;
  }

  /** Lets the answers through that are held back, in order. */
  public void answer() {
    List<Runnable> all = new ArrayList<>(held);
    held.clear();
    all.forEach(Runnable::run);
  }

  /** Takes out the oldest answer that is held back. */
  public Runnable takeHeld() {
    return held.remove(0);
  }

  private List<Optional<Grant>> executeAll(List<Claim> claims) {
    return spoils.apply(claims.stream().map(claim -> Optional.of(execute(claim))).toList());
  }

  private Grant execute(Claim claim) {
    Grant grant =
        states
            .computeIfAbsent(claim.bucket(), bucket -> arithmetic.fresh(bucket.spec()))
            .execute(claim, ticker.epochMicros());
    granted += grant.permits();
    giveBacks += claim.giveBacks().stream().mapToLong(GiveBack::permits).sum();
    return grant;
  }

  /** The claims of all batches so far, one after the other. */
  public List<Claim> claims() {
    return batches.stream().flatMap(List::stream).toList();
  }

  public Claim lastClaim() {
    List<Claim> all = claims();
    return all.get(all.size() - 1);
  }

  @Override
  public long minLifeMicros() {
    return MIN_LIFE;
  }

  @Override
  public int partition(BucketId bucket) {
    return partitions.applyAsInt(bucket);
  }

  @Override
  public CompletionStage<Membership> heartbeat(String node) {
    hearts++;
    if (heart == Manner.THROWS) {
      throw new IllegalStateException("no heart");
    }
    if (heart == Manner.FAILS) {
      return CompletableFuture.failedFuture(new IllegalStateException("heart failed"));
    }
    return heartbeats ? CompletableFuture.completedFuture(membership) : new CompletableFuture<>();
  }

  @Override
  public CompletionStage<?> leave(String node) {
    left = true;
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public long size() {
    return states.size();
  }

  @Override
  public void close() {
    closed = true;
  }
}
