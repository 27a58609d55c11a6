package io.weir.internal.region;

import io.weir.Decision;
import io.weir.PermitRequest;
import io.weir.RateLimiter;
import io.weir.annotation.OnStoreFailure;
import io.weir.simulation.ForwardingStore;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import io.weir.store.GiveBack;
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
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
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
  private static final long UNLIMITED = 1 << 30;
  private static final String SECRET = "of all regions";

  final VirtualTime time;
  final List<SimulatedCluster> clusters = new ArrayList<>();

  /** Clocks of the regions' stores. */
  final List<StoreClock> clocks;

  private final Random random;
  private final long shortest;
  private final double loss;
  private final boolean[][] isCut;
  private boolean isEnding;

  /** Grants of a stamp, by region and node. */
  final Map<Stamp, Granted> grants = new HashMap<>();

  /** Until when a node's use was reported to a region, and since when it was so. */
  final Map<Way, List<Reported>> reported = new HashMap<>();

  /**
   * Permits that a region's store may have counted too often: a debt was charged, but the answer
   * lost, so it was charged again; or what came back was lost.
   */
  private final Map<Integer, Map<BucketId, Long>> lost = new HashMap<>();

  /** The stamp of permits that a node was granted. */
  record Stamp(int region, int node, BucketId bucket, long stamp) {}

  /** The way from a node to another region. */
  record Way(int region, int node, int to) {}

  /**
   * Charges, from {@code at} on, of all that a node knew until {@code until}, but for buckets that
   * had another window of the calendar.
   */
  record Reported(long at, long until, Set<BucketId> refused) {}

  /** Grants of a stamp: permits by the time at which they were asked for. */
  static final class Granted {
    private final TreeMap<Long, Long> permits = new TreeMap<>();
    long last;

    void add(long sentAt, long granted, long now) {
      permits.merge(sentAt, granted, Long::sum);
      last = now;
    }

    /** Returns when a permit was asked for, of those that were granted before it so many. */
    long askedAt(long before) {
      long sum = 0;
      for (Map.Entry<Long, Long> each : permits.entrySet()) {
        sum += each.getValue();
        if (sum > before) {
          return each.getKey();
        }
      }
      return permits.lastKey();
    }
  }

  /** Begins, with right clocks. */
  SimulatedRegions(
      long seed, int regions, int nodes, long roundTripMillis, double loss, Load load) {
    this(seed, Collections.nCopies(regions, StoreClock.RIGHT), nodes, roundTripMillis, loss, load);
  }

  /**
   * Begins.
   *
   * @param clocks of the stores, one for each region
   * @param loss the share of messages between regions that are lost
   * @param load of each region
   */
  SimulatedRegions(
      long seed, List<StoreClock> clocks, int nodes, long roundTripMillis, double loss, Load load) {
    int regions = clocks.size();
    this.clocks = clocks;
    this.random = new Random(seed);
    this.shortest = roundTripMillis * 1_000;
    this.loss = loss;
    this.isCut = new boolean[regions][regions];
    this.time = new VirtualTime(start(seed));
    for (int region = 0; region < regions; region++) {
      int its = region;
      clusters.add(
          SimulatedCluster.builder()
              .seed(seed * 31 + region)
              .time(time)
              .nodes(nodes)
              .settings(settings())
              .load(load)
              .storeClock(clocks.get(region)::at)
              .assembly(parts -> limiter(its, parts))
              .build());
    }
    clusters.forEach(each -> each.begin(Duration.ofDays(1)));
  }

  private static Instant start(long seed) {
    return Instant.parse("2026-01-01T00:00:00Z").plusMillis(seed * 977);
  }

  /** Returns when a simulation begins, in microseconds since the epoch. */
  static long startMicros(long seed) {
    return start(seed).toEpochMilli() * 1_000;
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

  /** Cuts all regions off from each other, or connects them. */
  void cutAll(boolean away) {
    for (boolean[] each : isCut) {
      Arrays.fill(each, away);
    }
  }

  void cut(int one, int other, boolean away) {
    isCut[one][other] = away;
    isCut[other][one] = away;
  }

  /** Requests that come at random, so many a second as of the region and time. */
  void load(int region, PermitRequest ask, ToDoubleFunction<Long> perSecond) {
    load(perSecond, its -> request(region, ask, its));
  }

  /** The same of anything that comes at random. */
  void load(ToDoubleFunction<Long> perSecond, Consumer<Random> request) {
    double most =
        1
            + IntStream.range(0, 600)
                .mapToDouble(i -> perSecond.applyAsDouble(i * 1_000_000L))
                .max()
                .orElse(0);
    Random its = new Random(random.nextLong());
    long begin = time.now();
    arrive(request, perSecond, most, its, begin);
  }

  private void arrive(
      Consumer<Random> request,
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
            request.accept(its);
          }
          arrive(request, perSecond, most, its, begin);
        });
  }

  void request(int region, PermitRequest ask, Random its) {
    SimulatedCluster cluster = clusters.get(region);
    cluster.request(its.nextInt(cluster.nodes()), List.of(ask), decision -> {});
  }

  /** Sends a request that may be given back, as a right login is. */
  void request(int region, PermitRequest ask, Random its, BiConsumer<Decision, Runnable> decided) {
    SimulatedCluster cluster = clusters.get(region);
    cluster.requestRefundable(its.nextInt(cluster.nodes()), List.of(ask), decided);
  }

  /** Returns whether a region's store has granted permits that were asked for between two times. */
  boolean hasGranted(int region, BucketId bucket, long from, long until) {
    return grants.entrySet().stream()
        .filter(each -> each.getKey().region() == region && each.getKey().bucket().equals(bucket))
        .map(each -> each.getValue().permits.ceilingKey(from))
        .anyMatch(asked -> asked != null && asked <= until);
  }

  /** Returns the permits that a region's store counts of a bucket, debts beyond the limit too. */
  long counted(int region, BucketId bucket) {
    Claim peek = Claim.peek(bucket, 1, UNLIMITED, UNLIMITED);
    return UNLIMITED - clusters.get(region).store().execute(peek).left();
  }

  /** Returns the permits that a region's store may count too often, since messages were lost. */
  long lost(int region, BucketId bucket) {
    return lost.getOrDefault(region, Map.of()).getOrDefault(bucket, 0L);
  }

  /** Returns whether messages are lost, apart from cuts. */
  boolean loses() {
    return loss > 0;
  }

  private void lose(int region, BucketId bucket, long permits) {
    lost.computeIfAbsent(region, any -> new HashMap<>()).merge(bucket, permits, Long::sum);
  }

  /** Ends the load; what runs goes on. */
  void rest() {
    isEnding = true;
  }

  void end() {
    rest();
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
      grants
          .computeIfAbsent(new Stamp(region, node, bucket, grant.stamp()), any -> new Granted())
          .add(sentAt, grant.permits(), time.now());
    }
  }

  /** The link of a node to the store of another region. */
  private final class Link extends ForwardingStore {
    private final int region;
    private final int node;
    private final int to;
    private final Executor machine;
    private boolean knowsTheTime;

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
      boolean reports = knowsTheTime; // else it only asks for it
      CompletionStage<List<Optional<Grant>>> reply =
          call(
              () -> {
                CompletionStage<List<Optional<Grant>>> answers = store().execute(claims);
                if (reports) {
                  reported
                      .computeIfAbsent(new Way(region, node, to), any -> new ArrayList<>())
                      .add(new Reported(time.now(), sentAt, refused(claims, answers)));
                }
                return answers;
              },
              () -> claims.forEach(each -> lose(to, each.bucket(), backs(each))),
              () -> claims.forEach(each -> lose(to, each.bucket(), each.debt())));
      return reply.thenApply(
          answers -> {
            knowsTheTime = true;
            return answers;
          });
    }

    private static long backs(Claim claim) {
      return claim.giveBacks().stream().mapToLong(GiveBack::permits).sum();
    }

    private static Set<BucketId> refused(
        List<Claim> claims, CompletionStage<List<Optional<Grant>>> answers) {
      List<Optional<Grant>> grants = answers.toCompletableFuture().join();
      Set<BucketId> refused = new HashSet<>();
      for (int at = 0; at < claims.size(); at++) {
        if (grants.get(at).filter(Grant::isOfOtherWindow).isPresent()) {
          refused.add(claims.get(at).bucket());
        }
      }
      return refused;
    }

    @Override
    public CompletionStage<Optional<String>> mark(Optional<String> own) {
      return call(() -> store().mark(own), () -> {}, () -> {});
    }

    /**
     * Calls the store.
     *
     * @param callIsLost what happens instead
     * @param answerIsLost what happens, too
     */
    private <T> CompletionStage<T> call(
        Supplier<CompletionStage<T>> remote, Runnable callIsLost, Runnable answerIsLost) {
      CompletableFuture<T> reply = new CompletableFuture<>();
      message(
          () -> {
            T answer = remote.get().toCompletableFuture().join();
            message(() -> machine.execute(() -> reply.complete(answer)), answerIsLost);
          },
          callIsLost);
      IOException lost = new IOException("no answer");
      time.after(COMMAND_TIMEOUT, () -> machine.execute(() -> reply.completeExceptionally(lost)));
      return reply;
    }

    private void message(Runnable arrives, Runnable isLost) {
      if (!isCut[region][to] && random.nextDouble() >= loss) {
        time.after((shortest + random.nextInt((int) shortest / 4 + 1)) / 2, arrives);
      } else {
        isLost.run();
      }
    }

    @Override
    public void close() {}
  }

  /** Only reached by what a link doesn't override. */
  private static final LeasingStore NOWHERE = new SimulatedStore(() -> 0);
}
