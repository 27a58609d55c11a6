package io.weir.internal.region;

import io.weir.PermitRequest;
import io.weir.RateLimiter;
import io.weir.annotation.OnStoreFailure;
import io.weir.simulation.ForwardingStore;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.testkit.cluster.NodeParts;
import io.weir.testkit.cluster.NodeSettings;
import io.weir.testkit.cluster.SimulatedCluster;
import io.weir.testkit.load.Load;
import io.weir.testkit.store.SimulatedStore;
import io.weir.testkit.virtual.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Simulates regions, each with nodes and a store of its own, and slow links between them that lose
 * messages and may be cut.
 *
 * <p>Confine to one thread.
 */
final class SimulatedRegions {
  static final long INTERVAL = 1_000_000;
  static final long TIMEOUT = 1_000_000;
  private static final long COMMAND_TIMEOUT = 2 * TIMEOUT;
  private static final String SECRET = "of all regions";

  final VirtualTime time;
  final List<SimulatedCluster> clusters = new ArrayList<>();
  private final Random random;
  private final long shortest;
  private final double loss;
  private final boolean[][] isCut;
  private boolean isEnding;

  /** Grants of a stamp, by region and node. */
  final Map<Stamp, Granted> grants = new HashMap<>();

  /** Until when a node's use was reported to a region, and since when it was so. */
  final Map<Way, List<Reported>> reported = new HashMap<>();

  /** The grants of a node by one stamp. */
  record Stamp(int region, int node, BucketId bucket, long stamp) {}

  /** The way from a node to another region. */
  record Way(int region, int node, int to) {}

  /** Charges, from {@code at} on, of all that a node knew until {@code until}. */
  record Reported(long at, long until) {}

  /** Times at which the first grant of a stamp was asked for and the last one answered. */
  static final class Granted {
    long first = Long.MAX_VALUE;
    long last;
  }

  /**
   * Begins.
   *
   * @param loss the share of messages between regions that are lost
   * @param load of each region
   */
  SimulatedRegions(
      long seed, int regions, int nodes, long roundTripMillis, double loss, Load load) {
    this.random = new Random(seed);
    this.shortest = roundTripMillis * 1_000;
    this.loss = loss;
    this.isCut = new boolean[regions][regions];
    Instant start = Instant.parse("2026-01-01T00:00:00Z").plusMillis(seed * 977);
    this.time = new VirtualTime(start);
    for (int region = 0; region < regions; region++) {
      int its = region;
      clusters.add(
          SimulatedCluster.builder()
              .seed(seed * 31 + region)
              .time(time)
              .nodes(nodes)
              .settings(settings())
              .load(load)
              .assembly(parts -> limiter(its, parts))
              .build());
    }
    clusters.forEach(each -> each.begin(Duration.ofDays(1)));
  }

  private static NodeSettings settings() {
    Duration tenth = Duration.ofMillis(100);
    return new NodeSettings(tenth, tenth, 100_000, 1, OnStoreFailure.LOCAL);
  }

  private static String name(int region) {
    return "r" + region;
  }

  private RateLimiter limiter(int region, NodeParts parts) {
    int node = Integer.parseInt(parts.name().substring("node-".length()));
    Map<String, String> addresses = new HashMap<>();
    List<Regions.Other> others = new ArrayList<>();
    for (int other = 0; other < isCut.length; other++) {
      if (other != region) {
        addresses.put(name(other), "a store");
        LeasingStore link = new Link(region, node, other, parts.scheduler());
        others.add(new Regions.Other(name(other), link, Duration.ofNanos(TIMEOUT * 1_000)));
      }
    }
    Regions regions =
        new Regions(
            new RegionSettings(
                name(region),
                RegionMode.EVENTUAL,
                Duration.ofNanos(INTERVAL * 1_000),
                Map.of(),
                addresses),
            new Witness(parts.store(), region, node),
            others,
            SECRET,
            100_000,
            Duration.ZERO,
            parts.ticker(),
            parts.scheduler());
    regions.start();
    return new NodeParts(
            parts.name(),
            parts.settings(),
            regions.store(),
            parts.ticker(),
            parts.scheduler(),
            parts.load(),
            parts.metrics())
        .limiter();
  }

  void cut(int one, int other, boolean away) {
    isCut[one][other] = away;
    isCut[other][one] = away;
  }

  /** Requests that come at random, so many a second as of the region and time. */
  void load(int region, PermitRequest ask, ToDoubleFunction<Long> perSecond) {
    double most =
        1
            + IntStream.range(0, 600)
                .mapToDouble(i -> perSecond.applyAsDouble(i * 1_000_000L))
                .max()
                .orElse(0);
    Random its = new Random(random.nextLong());
    long begin = time.now();
    arrive(region, ask, perSecond, most, its, begin);
  }

  private void arrive(
      int region,
      PermitRequest ask,
      ToDoubleFunction<Long> perSecond,
      double most,
      Random its,
      long begin) {
    time.after(
        1 + (long) (-Math.log(1 - its.nextDouble()) * 1e6 / most),
        () -> {
          if (isEnding) {
            return;
          }
          if (its.nextDouble() * most < perSecond.applyAsDouble(time.now() - begin)) {
            request(region, ask, its);
          }
          arrive(region, ask, perSecond, most, its, begin);
        });
  }

  void request(int region, PermitRequest ask, Random its) {
    SimulatedCluster cluster = clusters.get(region);
    cluster.request(its.nextInt(cluster.nodes()), List.of(ask), decision -> {});
  }

  void end() {
    isEnding = true;
    clusters.forEach(SimulatedCluster::calm);
  }

  /** Sees what the own store grants. */
  private final class Witness extends ForwardingStore {
    private final int region;
    private final int node;

    Witness(LeasingStore store, int region, int node) {
      super(store);
      this.region = region;
      this.node = node;
    }

    @Override
    public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
      return seen(claims, time.now(), super.execute(claims));
    }

    @Override
    public CompletionStage<List<Optional<Grant>>> execute(
        int partition, Epoch epoch, List<Claim> claims) {
      return seen(claims, time.now(), super.execute(partition, epoch, claims));
    }

    private CompletionStage<List<Optional<Grant>>> seen(
        List<Claim> claims, long sentAt, CompletionStage<List<Optional<Grant>>> answers) {
      return answers.thenApply(
          all -> {
            for (int at = 0; at < claims.size(); at++) {
              BucketId bucket = claims.get(at).bucket();
              all.get(at)
                  .filter(grant -> grant.permits() > 0)
                  .ifPresent(grant -> note(bucket, grant, sentAt));
            }
            return all;
          });
    }

    private void note(BucketId bucket, Grant grant, long sentAt) {
      Granted its =
          grants.computeIfAbsent(
              new Stamp(region, node, bucket, grant.stamp()), any -> new Granted());
      its.first = Math.min(its.first, sentAt);
      its.last = time.now();
    }
  }

  /** The link of a node to the store of another region. */
  private final class Link extends ForwardingStore {
    private final int region;
    private final int node;
    private final int to;
    private final Executor machine;

    Link(int region, int node, int to, Executor machine) {
      super(NOWHERE);
      this.region = region;
      this.node = node;
      this.to = to;
      this.machine = machine;
    }

    private SimulatedStore store() {
      return clusters.get(to).store();
    }

    @Override
    public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
      long sentAt = time.now();
      return call(
          () -> {
            reported
                .computeIfAbsent(new Way(region, node, to), any -> new ArrayList<>())
                .add(new Reported(time.now(), sentAt));
            return store().execute(claims);
          });
    }

    @Override
    public CompletionStage<Optional<String>> mark(Optional<String> own) {
      return call(() -> store().mark(own));
    }

    private <T> CompletionStage<T> call(Supplier<CompletionStage<T>> remote) {
      CompletableFuture<T> reply = new CompletableFuture<>();
      message(
          () -> {
            T answer = remote.get().toCompletableFuture().join();
            message(() -> machine.execute(() -> reply.complete(answer)));
          });
      IOException lost = new IOException("no answer");
      time.after(COMMAND_TIMEOUT, () -> machine.execute(() -> reply.completeExceptionally(lost)));
      return reply;
    }

    private void message(Runnable arrives) {
      if (!isCut[region][to] && random.nextDouble() >= loss) {
        time.after((shortest + random.nextInt((int) shortest / 4 + 1)) / 2, arrives);
      }
    }

    @Override
    public void close() {}
  }

  /** Only reached by what a link doesn't override. */
  private static final LeasingStore NOWHERE = new SimulatedStore(() -> 0);
}
