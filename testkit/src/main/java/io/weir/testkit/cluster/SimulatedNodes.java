package io.weir.testkit.cluster;

import io.weir.Decision;
import io.weir.RateLimiter;
import io.weir.spi.DecisionMetrics;
import io.weir.spi.LoadSensor;
import io.weir.store.LeasingStore;
import io.weir.testkit.store.SimulatedStore;
import io.weir.testkit.virtual.VirtualClock;
import io.weir.testkit.virtual.VirtualScheduler;
import io.weir.testkit.virtual.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;

/**
 * Keeps the machines of a simulated cluster: the live ones, and those that have gone.
 *
 * <p>Confine to one thread.
 */
final class SimulatedNodes {
  private static final int WALL_ERROR = 120_000_000;

  private final ClusterSetup of;
  private final VirtualTime time;
  private final SimulatedStore store;
  private final Network network;
  private final Recorder recorder;
  private final Random random;
  private final List<String> complaints = Ledger.complaints();
  private final List<Node> live = new ArrayList<>();
  private final List<Node> all = new ArrayList<>();

  SimulatedNodes(
      ClusterSetup of,
      VirtualTime time,
      SimulatedStore store,
      Network network,
      Recorder recorder,
      Random random) {
    this.of = of;
    this.time = time;
    this.store = store;
    this.network = network;
    this.recorder = recorder;
    this.random = random;
  }

  List<Node> live() {
    return live;
  }

  /** Returns all machines that ever existed. */
  List<Node> all() {
    return all;
  }

  List<String> complaints() {
    return complaints;
  }

  long undecided() {
    return all.stream().mapToLong(Node::undecided).sum();
  }

  void join() {
    int number = all.size();
    VirtualClock clock = clock();
    Ledger ledger = new Ledger("node " + number, complaints);
    Node node = new Node(number, time, clock, ledger, recorder, of.settings.nodes());
    all.add(node);
    live.add(node);
    long timeout = 2 * of.settings.storeTimeout().toNanos() / 1_000;
    StoreLink link = new StoreLink(node, store, network, time, timeout);
    node.runs(limiter(node, clock, of.link.apply(link)), link);
  }

  private VirtualClock clock() {
    long origin = random.nextInt() * 1_000L;
    int drift = of.drift == 0 ? 0 : random.nextInt(2 * of.drift + 1) - of.drift;
    return new VirtualClock(time, origin, drift, random.nextInt(2 * WALL_ERROR) - WALL_ERROR);
  }

  private RateLimiter limiter(Node node, VirtualClock clock, LeasingStore link) {
    LoadSensor busy = () -> of.nodeLoad.applyAsDouble(node.number(), time.now());
    return of.assembly.assemble(
        new NodeParts(
            "node-" + node.number(),
            of.settings,
            link,
            clock,
            new VirtualScheduler(time, clock, node),
            busy,
            metrics(node)));
  }

  private DecisionMetrics metrics(Node node) {
    return new DecisionMetrics() {
      @Override
      public void decided(Decision part) {}

      @Override
      public void took(long nanos) {}

      @Override
      public void bucketsHeld(LongSupplier held) {
        node.holds(held);
      }
    };
  }

  void crash(Node node) {
    node.crash();
    live.remove(node);
  }

  /** Closes a node; it goes on for as long as the closing takes. */
  void leave(Node node) {
    live.remove(node);
    node.close();
  }
}
