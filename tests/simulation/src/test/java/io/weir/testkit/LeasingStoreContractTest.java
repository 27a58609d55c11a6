package io.weir.testkit;

import io.weir.Ticker;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.LiveBucket;
import io.weir.store.Membership;
import io.weir.store.PermitStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The contract also fits a store that leases: the algorithms with a shortest life of 5 ms. */
class LeasingStoreContractTest extends PermitStoreContract {
  private final FakeTicker ticker = new FakeTicker();

  @Override
  protected PermitStore open() {
    return new SmallStore(ticker);
  }

  @Override
  protected void advance(Duration time) {
    ticker.advance(time);
  }

  @Override
  protected boolean keepsMark() {
    return false;
  }

  private static final class SmallStore implements LeasingStore {
    private final Ticker ticker;
    private final BucketArithmetic arithmetic = BucketArithmetic.leasing(5_000);
    private final Map<BucketId, LiveBucket> states = new HashMap<>();

    SmallStore(Ticker ticker) {
      this.ticker = ticker;
    }

    @Override
    public synchronized CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
      return CompletableFuture.completedFuture(
          claims.stream().map(claim -> Optional.of(execute(claim))).toList());
    }

    private Grant execute(Claim claim) {
      return states
          .computeIfAbsent(claim.bucket().inStore(), bucket -> arithmetic.fresh(bucket.spec()))
          .execute(claim, ticker.epochMicros());
    }

    @Override
    public boolean counts(BucketSpec spec) {
      return true;
    }

    @Override
    public long minLifeMicros() {
      return 5_000;
    }

    @Override
    public boolean grantsFarLeases() {
      return true;
    }

    @Override
    public int partition(BucketId bucket) {
      return 0;
    }

    @Override
    public CompletionStage<Membership> heartbeat(String node) {
      return CompletableFuture.completedFuture(new Membership(1, Membership.WHOLE));
    }

    @Override
    public synchronized CompletionStage<?> forget(BucketId bucket) {
      states.remove(bucket.inStore());
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<?> leave(String node) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public long size() {
      return states.size();
    }

    @Override
    public void close() {
      states.clear();
    }
  }
}
