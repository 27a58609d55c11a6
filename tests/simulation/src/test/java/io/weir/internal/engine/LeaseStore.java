package io.weir.internal.engine;

import io.weir.Key;
import io.weir.Policy;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.LiveBucket;
import io.weir.store.Membership;
import io.weir.testkit.virtual.VirtualTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A store on a virtual clock that leases permits, with the real arithmetic, a round trip of a
 * millisecond and a fault that the test switches on and off.
 *
 * <p>Confine to one thread.
 */
final class LeaseStore implements LeasingStore {
  private static final long MIN_LIFE = 5_000;

  /** How long a message takes, in microseconds. */
  static final long ONE_WAY = 500;

  enum Trouble {
    NONE,
    FAILS,
    STALLS
  }

  private final VirtualTime time;
  private final BucketArithmetic arithmetic = BucketArithmetic.leasing(MIN_LIFE);
  private final Map<BucketId, LiveBucket> states = new HashMap<>();
  final List<String> gone = new ArrayList<>();
  Trouble trouble = Trouble.NONE;
  int live = 1;
  long exchanges;
  int beats;
  int closes;

  /** Whether it grants far leases; to be set before a node is made. */
  boolean farLeases;

  /** Answers in the same call, for tests that can't let time pass. */
  boolean atOnce;

  LeaseStore(VirtualTime time) {
    this.time = time;
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    return answer(() -> claims.stream().map(claim -> Optional.of(execute(claim))).toList());
  }

  @Override
  public boolean grantsFarLeases() {
    return farLeases;
  }

  private Grant execute(Claim claim) {
    exchanges++;
    return states
        .computeIfAbsent(claim.bucket(), bucket -> arithmetic.fresh(bucket.spec()))
        .execute(claim, time.now());
  }

  @Override
  public CompletionStage<?> forget(BucketId bucket) {
    return answer(() -> Optional.ofNullable(states.remove(bucket)));
  }

  private <T> CompletionStage<T> answer(java.util.function.Supplier<T> work) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    switch (trouble) {
      case FAILS -> reply(() -> answer.completeExceptionally(new IllegalStateException("failed")));
      case STALLS -> {}
      case NONE ->
          reply(
              () -> {
                T result = work.get();
                reply(() -> answer.complete(result));
              });
    }
    return answer;
  }

  private void reply(Runnable step) {
    if (atOnce) {
      step.run();
    } else {
      time.after(ONE_WAY, step);
    }
  }

  /** Returns the permits that the store would still grant, without leases. */
  long free(Policy policy, Key key) {
    BucketId bucket = new BucketId(policy.spec(), key);
    long burst = policy.burstFor(policy.limit());
    LiveBucket state = states.get(bucket);
    return state == null
        ? burst
        : arithmetic
            .read(policy.spec(), state.toBytes())
            .execute(Claim.peek(bucket, 1, policy.limit(), burst), time.now())
            .left();
  }

  @Override
  public long minLifeMicros() {
    return MIN_LIFE;
  }

  @Override
  public int partition(BucketId bucket) {
    return 0;
  }

  @Override
  public CompletionStage<Membership> heartbeat(String node) {
    beats++;
    return answer(() -> new Membership(live, Membership.WHOLE / live));
  }

  @Override
  public CompletionStage<?> leave(String node) {
    return answer(() -> gone.add(node));
  }

  @Override
  public boolean counts(BucketSpec spec) {
    return true;
  }

  @Override
  public long size() {
    return 0;
  }

  @Override
  public void close() {
    closes++;
  }
}
