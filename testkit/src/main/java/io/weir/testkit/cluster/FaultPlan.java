package io.weir.testkit.cluster;

import io.weir.testkit.virtual.VirtualTime;
import java.util.List;
import java.util.Random;

/**
 * Lets mishaps happen at random times.
 *
 * <p>Confine to one thread.
 */
final class FaultPlan {
  private static final long SHORTEST = 1_000;

  /** Shorter suspensions aren't noticed. */
  private static final long NOTICED = 1_100_000;

  private static final long SOON = 1_000_000;
  private static final int MAX_NODES = 32;
  private static final int WALL_JUMP = 1_000_000_000;

  private final VirtualTime time;
  private final Random random;
  private final SimulatedNodes nodes;
  private final Network network;
  private final Recorder recorder;
  private final StoreWiper wipes;
  private final int partitions;
  private final long longest;
  private boolean over;

  FaultPlan(
      ClusterSetup of,
      VirtualTime time,
      Random random,
      SimulatedNodes nodes,
      Network network,
      Recorder recorder,
      StoreWiper wipes) {
    this.time = time;
    this.random = random;
    this.nodes = nodes;
    this.network = network;
    this.recorder = recorder;
    this.wipes = wipes;
    this.partitions = of.partitions;
    this.longest = of.faults.longest().toNanos() / 1_000;
  }

  void start(List<Mishap> mishaps, long within) {
    for (Mishap mishap : mishaps) {
      later((long) (random.nextDouble() * within), () -> happen(mishap));
    }
  }

  void end() {
    over = true;
  }

  private void later(long micros, Runnable work) {
    time.after(
        micros,
        () -> {
          if (!over) {
            work.run();
          }
        });
  }

  private void happen(Mishap mishap) {
    Node node = nodes.live().get(random.nextInt(nodes.live().size()));
    if (alone(mishap)) {
      nodes.join();
    }
    recorder.happened(mishap);
    switch (mishap) {
      case PARTITION -> partition(node);
      case OUTAGE -> outage();
      case PARTITION_AWAY -> laneAway();
      case CRASH -> crash(node);
      case PAUSE -> node.pause(time.now() + aWhile());
      case SUSPEND -> node.suspend(time.now() + NOTICED + aWhile());
      case JOIN -> join();
      case LEAVE -> nodes.leave(node);
      case WIPE -> wipe();
      case WALL_CLOCK -> node.clock().jumpWall(-random.nextInt(WALL_JUMP));
    }
  }

  private boolean alone(Mishap mishap) {
    return nodes.live().size() == 1 && (mishap == Mishap.CRASH || mishap == Mishap.LEAVE);
  }

  private void partition(Node node) {
    node.cut(true, random.nextBoolean());
    later(aWhile(), () -> node.cut(false, false));
  }

  private void wipe() {
    int partition = random.nextInt(partitions + 1);
    for (int i = 0; i < partitions; i++) {
      if (partition == partitions || partition == i) {
        wipes.wipe(i);
      }
    }
  }

  private void outage() {
    network.away(true);
    long aWhile = aWhile();
    nodes.all().forEach(node -> node.outOfReach(time.now() + aWhile));
    later(aWhile, () -> network.away(false));
  }

  private void laneAway() {
    network.laneAway(random.nextInt(partitions));
    long aWhile = aWhile();
    nodes.all().forEach(node -> node.outOfReach(time.now() + aWhile));
    later(aWhile, () -> network.laneAway(-1));
  }

  private void crash(Node node) {
    nodes.crash(node);
    later((long) (random.nextDouble() * SOON), nodes::join);
  }

  private void join() {
    if (nodes.live().size() < MAX_NODES) {
      nodes.join();
    }
  }

  /** Mostly short, sometimes long: each order of magnitude is as likely as the others. */
  private long aWhile() {
    double span = Math.log(longest / (double) SHORTEST);
    return (long) (SHORTEST * Math.exp(random.nextDouble() * span));
  }
}
