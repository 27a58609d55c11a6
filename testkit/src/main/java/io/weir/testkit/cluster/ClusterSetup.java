package io.weir.testkit.cluster;

import io.weir.store.LeasingStore;
import io.weir.testkit.load.Load;
import io.weir.testkit.store.GrantFault;
import io.weir.testkit.virtual.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import java.util.function.ToDoubleBiFunction;
import java.util.function.UnaryOperator;

/** Everything that a {@link SimulatedCluster} is made of, with the defaults. */
final class ClusterSetup {
  long seed = 1;
  int nodes = 3;
  Optional<VirtualTime> time = Optional.empty();
  Instant start = Instant.parse("2026-01-01T00:00:00Z");
  NodeSettings settings = NodeSettings.defaults();
  NodeParts.Assembly assembly = NodeParts::limiter;
  UnaryOperator<LeasingStore> link = UnaryOperator.identity();
  LongUnaryOperator storeClock = LongUnaryOperator.identity();
  GrantFault storeFault = GrantFault.none();
  int partitions = 1;
  Duration latency = Duration.ofNanos(400_000);
  Duration jitter = Duration.ofNanos(300_000);
  int drift = 200;
  Faults faults = Faults.none();
  Load load = Load.together(List.of());

  /** The load of a node, 0 to 1, by its number and the time in microseconds. */
  ToDoubleBiFunction<Integer, Long> nodeLoad = (node, micros) -> 0;
}
