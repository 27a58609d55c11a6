package io.weir.testkit.mutants;

import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.simulation.ForwardingStore;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.testkit.cluster.ClusterBuilder;
import io.weir.testkit.cluster.Faults;
import io.weir.testkit.load.Arrivals;
import io.weir.testkit.load.Caller;
import io.weir.testkit.load.Load;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A caller comes seldom for a while, so that nodes hold far leases, and then in crowds. What a far
 * lease holds is asked for around its end, when everything else is drained.
 *
 * <p>Confine to one thread.
 */
final class Seldom {
  private static final int NODES = 3;
  private static final long LIMIT = 160;
  private static final long WINDOW = 60_000_000;
  private static final int CYCLES = 4;

  private final Policy policy;
  private final Caller caller;
  private int nodes;
  private @Nullable Arrivals arrivals;

  private Seldom(Algorithm algorithm, int refunds) {
    policy = Lab.policy(algorithm, LIMIT, Duration.ofNanos(WINDOW * 1_000));
    caller = Caller.of(policy, "who").refunding(refunds);
  }

  static List<String> run(Algorithm algorithm, long seed) {
    return new Seldom(algorithm, 0).run(seed);
  }

  /** Of a hundred requests thirty don't count in the end. */
  static List<String> refunded(long seed) {
    return new Seldom(Algorithm.SLIDING_WINDOW, 30).run(seed);
  }

  /** The exchanges caused by infrequent callers that never come in crowds. */
  static List<String> frugal(long seed) {
    boolean few = seed % 2 == 1;
    long limit = few ? 100 : 1_000;
    double most = few ? 0.45 : 0.08;
    Policy policy = Lab.policy(Algorithm.SLIDING_WINDOW, limit, Duration.ofMinutes(1));
    List<Load> loads = new ArrayList<>();
    for (int i = 0; i < (few ? 8 : 1); i++) {
      loads.add(Load.poisson(Caller.of(policy, "who " + i), 0.2 * limit / 60));
    }
    Lab lab = new Lab(Lab.cluster(seed, 1).load(Load.together(loads)));
    lab.rest(Duration.ofMinutes(4));
    double is = lab.cluster.report().exchangesPerRequest();
    lab.promise("exchanges", is <= most, is + " for a request, more than " + most);
    return lab.verdict();
  }

  /** A limit is lowered to what has been used, while nodes keep far leases. */
  static List<String> lowered(long seed) {
    Algorithm algorithm = seed % 2 == 0 ? Algorithm.FIXED_WINDOW : Algorithm.SLIDING_WINDOW;
    Policy policy = Lab.policy(algorithm, 10_000, Duration.ofDays(1));
    Lab lab = new Lab(Lab.cluster(seed, NODES));
    long used = lab.ask(0, NODES, policy, "who", 4 * NODES, Duration.ofMinutes(1));
    PermitRequest lower = new PermitRequest(policy, Key.of("who"), 1, used);
    lab.most("limit", 0, lab.ask(0, NODES, lower, 4 * NODES, Duration.ofMinutes(1)));
    return lab.verdict();
  }

  private List<String> run(long seed) {
    ClusterBuilder cluster = Lab.cluster(seed, NODES).link(Watched::new).load(this::start);
    Lab lab = new Lab(network(cluster, (int) (seed % 4)));
    lab.rest(Duration.ofNanos(4 * CYCLES * WINDOW * 1_000));
    return lab.verdict();
  }

  // Answers that take long, some of them too long; answers that get lost.
  private static ClusterBuilder network(ClusterBuilder cluster, int which) {
    return switch (which) {
      case 1 -> cluster.faults(Flicker.spikes(0.1));
      case 2 -> cluster.faults(Flicker.spikes(0.1)).settings(Lab.settings(50, 100));
      case 3 -> cluster.faults(new Faults(0.03, 0, Lab.millis(80), 0, List.of(), Lab.millis(1)));
      default -> cluster;
    };
  }

  private void start(Arrivals load) {
    arrivals = load;
    cycle(load);
  }

  private void cycle(Arrivals load) {
    Random random = load.random();
    long quiet = (long) (WINDOW * (1.3 + 1.3 * random.nextDouble()));
    long crowded = (long) (WINDOW * (1 + 0.5 * random.nextDouble()));
    double use = 0.05 + 0.25 * random.nextDouble();
    for (long i = (long) (use * LIMIT * quiet / WINDOW); i > 0; i--) {
      Caller there = caller.at(Caller.Spread.one(random.nextInt(NODES)));
      int requests = 1 + random.nextInt(4);
      load.after(random.nextInt((int) quiet), () -> ask(load, there, requests));
    }
    boolean herd = random.nextInt(3) == 0;
    for (long i = (long) ((1.5 + 2 * random.nextDouble()) * LIMIT * crowded / WINDOW); i > 0; i--) {
      double when = herd ? Math.pow(random.nextDouble(), 6) : random.nextDouble();
      load.after(quiet + (long) (crowded * when), () -> ask(load, caller, 1));
    }
    load.after(quiet + crowded, () -> cycle(load));
  }

  private static void ask(Arrivals load, Caller who, int requests) {
    for (int i = 0; i < requests; i++) {
      load.request(who);
    }
  }

  /** Sees the far leases of a node, and has all that they hold asked for around their end. */
  private final class Watched extends ForwardingStore {
    private final Caller there = caller.at(Caller.Spread.one(nodes++));

    Watched(LeasingStore store) {
      super(store);
    }

    @Override
    public CompletionStage<List<Optional<Grant>>> execute(
        int partition, Epoch epoch, List<Claim> claims) {
      CompletionStage<List<Optional<Grant>>> answer = super.execute(partition, epoch, claims);
      return answer.whenComplete((grants, failure) -> grants(grants));
    }

    private void grants(@Nullable List<Optional<Grant>> grants) {
      Arrivals load = arrivals;
      if (grants != null && load != null) {
        for (Optional<Grant> each : grants) {
          each.filter(Grant::isFar).ifPresent(grant -> watch(grant, load));
        }
      }
    }

    private void watch(Grant grant, Arrivals load) {
      Random random = load.random();
      if (random.nextInt(3) > 0) {
        long end = grant.life() - grant.life() / 1_000;
        int about = random.nextBoolean() ? 3_000 : 90_000;
        long when = end + random.nextInt(2 * about) - about;
        load.after(Math.max(0, when), () -> ask(load, there, (int) grant.permits()));
      }
    }
  }
}
