package io.weir.testkit.cluster;

import io.weir.testkit.store.SimulatedStore;
import io.weir.testkit.virtual.VirtualTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Wipes the store, and notes the nodes that can't report what it has lost: those that were out of
 * reach until the quarantine ended, and those that had just started and came before all that knew
 * more.
 *
 * <p>Confine to one thread.
 */
final class StoreWiper {
  private final SimulatedStore store;
  private final VirtualTime time;
  private final SimulatedNodes nodes;
  private final int partitions;
  private final boolean lossy;
  private final long hearing;
  private final List<Pending> all = new ArrayList<>();

  /** A wipe and the nodes that can't report; those out of reach later are added. */
  private record Pending(long time, int partition, Set<Integer> silent) {}

  StoreWiper(ClusterSetup of, SimulatedStore store, VirtualTime time, SimulatedNodes nodes) {
    this.store = store;
    this.time = time;
    this.nodes = nodes;
    this.partitions = of.partitions;
    Faults faults = of.faults;
    long timeout = of.settings.storeTimeout().toNanos();
    this.lossy =
        faults.loss() > 0
            || faults.claimFailures() > 0
            || faults.spikes() > 0 && 4 * faults.spike().toNanos() > timeout
            || of.settings.maxBuckets() < 100; // what is evicted is forgotten
    // Up to a flush until a node asks, and then the time that nodes wait.
    this.hearing = (3 * of.settings.flushInterval().toNanos() + 2 * timeout) / 1_000;
  }

  void wipe(int partition) {
    store.wipe(partition);
    Pending wipe = new Pending(time.now(), partition, new HashSet<>());
    all.add(wipe);
    look(wipe);
    time.after(hearing, () -> look(wipe));
  }

  // A node that is cut off or stands still in between is so at the end of the wait, or has been so
  // since its beginning: that is what is remembered of each node.
  private void look(Pending wipe) {
    for (Node node : nodes.all()) {
      if (lossy
          || !node.couldTell(wipe.time(), time.now())
          || node.cameFirst(wipe.partition(), wipe.time())) {
        wipe.silent().add(node.number());
      }
    }
  }

  List<Wipe> happened() {
    return all.stream()
        .map(
            each ->
                new Wipe(
                    each.time(),
                    each.partition(),
                    partitions,
                    each.time() + hearing,
                    each.silent()))
        .toList();
  }
}
