package io.weir.testkit.cluster;

import io.weir.simulation.ForwardingStore;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * Knows for how long the store has owed an answer, as the stores in Redis and PostgreSQL do: a
 * decision that waits for two exchanges with a store far away isn't overdue.
 *
 * <p>Confine to one thread.
 */
final class KnownSilence extends ForwardingStore {
  private final LongSupplier clock;
  private final Map<Integer, Deque<Long>> owed = new HashMap<>();

  KnownSilence(LeasingStore store, LongSupplier clock) {
    super(store);
    this.clock = clock;
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(
      int partition, Epoch epoch, List<Claim> claims) {
    return watched(partition, super.execute(partition, epoch, claims));
  }

  @Override
  public CompletionStage<Epoch> epoch(int partition, Epoch known) {
    return watched(partition, super.epoch(partition, known));
  }

  private <T> CompletionStage<T> watched(int partition, CompletionStage<T> call) {
    long sent = clock.getAsLong();
    Deque<Long> all = owed.computeIfAbsent(partition, none -> new ArrayDeque<>());
    all.addLast(sent);
    return call.whenComplete(
        (answer, failure) -> {
          if (failure == null) {
            all.removeIf(each -> each <= sent);
          }
        });
  }

  @Override
  public long silentMicros(int partition) {
    Deque<Long> all = owed.get(partition);
    return all == null || all.isEmpty() ? 0 : clock.getAsLong() - all.getFirst();
  }
}
