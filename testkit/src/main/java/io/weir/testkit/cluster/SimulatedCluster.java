package io.weir.testkit.cluster;

import io.weir.Decision;
import io.weir.PermitRequest;
import io.weir.store.BucketId;
import io.weir.testkit.load.Arrivals;
import io.weir.testkit.load.Caller;
import io.weir.testkit.store.SimulatedStore;
import io.weir.testkit.virtual.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Simulates nodes with real limiters, a store that they share and a network between them, all in
 * one thread and on a clock that runs as fast as the machine can process events.
 *
 * <pre>{@code
 * Policy policy = Policy.builder("hot").limit(1_000).window(Duration.ofMinutes(1)).build();
 * SimulatedCluster cluster =
 *     SimulatedCluster.builder()
 *         .nodes(8)
 *         .load(Load.poisson(Caller.of(policy, "alice"), 50))
 *         .build();
 * cluster.run(Duration.ofMinutes(10));
 * Report report = cluster.report();
 * }</pre>
 *
 * <p>Runs with the same seed are equal, to the microsecond.
 *
 * <p>Confine to one thread.
 */
public final class SimulatedCluster {
  private static final int SHORTEST_RESPONSE = 20_000;
  private static final int LONGEST_RESPONSE = 200_000;

  private final VirtualTime time;
  private final SimulatedStore store;
  private final Network network;
  private final Recorder recorder;
  private final SimulatedNodes nodes;
  private final StoreWiper wipes;
  private final FaultPlan plan;
  private final ClusterSetup of;
  private final Random chance;
  private boolean started;
  private boolean loaded = true;

  SimulatedCluster(ClusterSetup of) {
    this.of = of;
    time = of.time.orElseGet(() -> new VirtualTime(of.start));
    store =
        new SimulatedStore(
            () -> of.storeClock.applyAsLong(time.now()), of.storeFault, of.partitions);
    recorder = new Recorder(time.now());
    network = new Network(time, random(1), micros(of.latency), micros(of.jitter), of.faults);
    nodes = new SimulatedNodes(of, time, store, network, recorder, random(2));
    wipes = new StoreWiper(of, store, time, nodes);
    plan = new FaultPlan(of, time, random(3), nodes, network, recorder, wipes);
    chance = random(4);
    for (int i = 0; i < of.nodes; i++) {
      nodes.join();
    }
  }

  // Numbers of their own, so that a change in one part leaves the others as they were.
  private Random random(int part) {
    return new Random(of.seed * 1_000_003L + part * 7_919L);
  }

  private static long micros(Duration duration) {
    return duration.toNanos() / 1_000;
  }

  /**
   * Starts with the parts of a cluster.
   *
   * @return a builder
   */
  public static ClusterBuilder builder() {
    return new ClusterBuilder();
  }

  /**
   * Lets time pass. The first time the load begins, and the mishaps spread over this time.
   *
   * @param duration how much
   */
  public void run(Duration duration) {
    begin(duration);
    time.run(duration);
  }

  /**
   * Begins the load, and the mishaps spread over a time, unless they have begun. No time passes.
   *
   * @param duration the time
   */
  public void begin(Duration duration) {
    if (!started) {
      started = true;
      of.load.start(arrivals(random(5)));
      plan.start(of.faults.mishaps(), micros(duration));
    }
  }

  /**
   * Returns the store itself, for those that reach it over a network of their own.
   *
   * @return the store, which answers at once
   */
  public SimulatedStore store() {
    return store;
  }

  /**
   * Kills a node: what it hasn't sent is gone.
   *
   * @param node the number of a node among those that live
   */
  public void kill(int node) {
    nodes.crash(nodes.live().get(node));
  }

  /** Ends the load and everything that goes wrong. */
  public void calm() {
    loaded = false;
    plan.end();
    network.heal();
    nodes.live().forEach(node -> node.cut(false, false));
  }

  /** Adds a node. */
  public void join() {
    nodes.join();
  }

  /**
   * Cuts a node off from the store, or lets it reach the store again.
   *
   * @param node the number of a node among those that live
   * @param away true to cut it off
   */
  public void cut(int node, boolean away) {
    nodes.live().get(node).cut(away, true);
  }

  /**
   * Makes the store slow, until {@link #calm()}: an answer takes as long as chance says, both ways
   * together.
   *
   * @param least the shortest time, 1 ms and more
   * @param most the longest
   */
  public void slow(Duration least, Duration most) {
    network.slow(micros(least), micros(most));
  }

  /**
   * Has one partition of the store lose all that it has counted.
   *
   * @param partition the partition; 0 where there is only one
   */
  public void wipe(int partition) {
    wipes.wipe(partition);
  }

  /** Closes all nodes in an orderly way; let time pass afterwards. */
  public void close() {
    List.copyOf(nodes.live()).forEach(nodes::leave);
  }

  /**
   * Sends a request, now.
   *
   * @param node the number of a node among those that live
   * @param asks what it asks
   * @param decided takes the decision, when there is one
   */
  public void request(int node, List<PermitRequest> asks, Consumer<Decision> decided) {
    requestRefundable(node, asks, (decision, refund) -> decided.accept(decision));
  }

  /**
   * Sends a request, now, that may not count in the end, as a success where failures are counted.
   *
   * @param node the number of a node among those that live
   * @param asks what it asks
   * @param decided takes the decision, when there is one, and what gives it back
   */
  public void requestRefundable(
      int node, List<PermitRequest> asks, BiConsumer<Decision, Runnable> decided) {
    arrive(nodes.live().get(node), asks, decided);
  }

  private void arrive(Node node, List<PermitRequest> asks, BiConsumer<Decision, Runnable> decided) {
    recorder.arrived(asks, time.now());
    node.request(
        asks, (decision, spent) -> decided.accept(decision, note(decision, asks, spent, node)));
  }

  /** Records a decision, and returns how to refund it. */
  private Runnable note(
      Decision decision, List<PermitRequest> asks, List<Spending> spent, Node node) {
    recorder.holds(node.holding());
    if (!decision.admitted()) {
      recorder.refused(decision);
      return () -> {};
    }
    List<Recorder.Noted> noted = recorder.admitted(decision, asks, spent, node::admission);
    return () ->
        node.execute(
            () -> {
              recorder.refunded(noted);
              node.refund(decision);
            });
  }

  private Arrivals arrivals(Random random) {
    return new Arrivals() {
      @Override
      public void after(long micros, Runnable work) {
        time.after(
            micros,
            () -> {
              if (loaded) {
                work.run();
              }
            });
      }

      @Override
      public void request(Caller caller) {
        Node node = nodes.live().get(caller.spread().pick(nodes.live().size(), random));
        arrive(node, caller.asks(random), (decision, refund) -> respond(caller, decision, refund));
      }

      @Override
      public int nodes() {
        return nodes.live().size();
      }

      @Override
      public Random random() {
        return random;
      }
    };
  }

  private void respond(Caller caller, Decision decision, Runnable refund) {
    if (decision.admitted() && chance.nextInt(100) < caller.refunds()) {
      time.after(SHORTEST_RESPONSE + chance.nextInt(LONGEST_RESPONSE), refund);
    }
  }

  /**
   * Returns the number of live nodes.
   *
   * @return 1 and more
   */
  public int nodes() {
    return nodes.live().size();
  }

  /**
   * Returns the current time.
   *
   * @return microseconds since the epoch, by the store's clock
   */
  public long now() {
    return time.now();
  }

  /**
   * Returns the number of events so far.
   *
   * @return 0 and more
   */
  public long events() {
    return time.happened();
  }

  /**
   * Returns the permits that living nodes hold, and could spend, of buckets without a recent
   * request.
   *
   * @param since how long ago the last request was
   * @return permits by bucket; nothing where nothing is held
   */
  public Map<BucketId, Long> idle(Duration since) {
    Map<BucketId, Long> idle = new TreeMap<>();
    for (Node node : nodes.live()) {
      node.ledger()
          .idle(time.now(), time.now() - micros(since))
          .forEach((bucket, permits) -> idle.merge(bucket, permits, Long::sum));
    }
    return idle;
  }

  /**
   * Permits that live nodes have admitted ahead of the store and not reported.
   *
   * @return permits
   */
  public long untold() {
    return nodes.live().stream().mapToLong(node -> node.ledger().untold()).sum();
  }

  /**
   * Permits that live, unpaused nodes have admitted without a grant, ahead of the store or without
   * it as LOCAL does, and whose charge the store hasn't confirmed. Older ones than a window, or of
   * a past fixed window, need no longer be charged and aren't included.
   *
   * @return permits
   */
  public long debt() {
    return nodes.live().stream()
        .filter(node -> !node.paused())
        .mapToLong(node -> node.ledger().debt(time.now()))
        .sum();
  }

  /**
   * Reports everything that has happened so far.
   *
   * @return a report
   */
  public Report report() {
    return recorder.report(
        time.now(), nodes.undecided(), store.exchanges(), nodes.complaints(), wipes.happened());
  }
}
