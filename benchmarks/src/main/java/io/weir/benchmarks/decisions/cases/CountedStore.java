package io.weir.benchmarks.decisions.cases;

import io.weir.simulation.ForwardingStore;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;

/**
 * A store whose exchanges are counted on the way, apart from the limiter's own metrics, which would
 * cost what is measured.
 *
 * <p>Safe for concurrent use.
 */
final class CountedStore extends ForwardingStore {
  private final LongAdder exchanges = new LongAdder();
  private final LongAdder waits = new LongAdder();
  private final LongAdder failures = new LongAdder();

  CountedStore(LeasingStore store) {
    super(store);
  }

  /** Claims, all of them. */
  LongAdder exchanges() {
    return exchanges;
  }

  /** Claims that a request waited for. */
  LongAdder waits() {
    return waits;
  }

  /** Calls that failed. */
  LongAdder failures() {
    return failures;
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(
      int partition, Epoch epoch, List<Claim> claims) {
    exchanges.add(claims.size());
    waits.add(claims.stream().filter(claim -> claim.needed() > 0).count());
    return super.execute(partition, epoch, claims)
        .whenComplete(
            (grants, failure) -> {
              if (failure != null) {
                failures.increment();
              }
            });
  }
}
