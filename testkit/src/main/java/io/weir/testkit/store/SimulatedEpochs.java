package io.weir.testkit.store;

import io.weir.store.Epoch;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Keeps the epoch of each partition, made when the first node asks.
 *
 * <p>Confine to one thread.
 */
final class SimulatedEpochs {
  private final LongSupplier clock;
  private final Map<Integer, Made> partitions = new HashMap<>();
  private long number;

  SimulatedEpochs(LongSupplier clock) {
    this.clock = clock;
  }

  Epoch of(int partition, Epoch known) {
    Made made = partitions.get(partition);
    if (made == null) {
      made = new Made("epoch " + ++number, clock.getAsLong(), known.exists());
    } else if (known.exists() && !known.id().equals(made.id())) {
      made = new Made(made.id(), made.at(), true);
    }
    partitions.put(partition, made);
    return new Epoch(made.id(), 0, clock.getAsLong() - made.at(), made.wiped());
  }

  boolean has(int partition, Epoch epoch) {
    Made made = partitions.get(partition);
    return made != null && made.id().equals(epoch.id());
  }

  void forget(int partition) {
    partitions.remove(partition);
  }

  private record Made(String id, long at, boolean wiped) {}
}
