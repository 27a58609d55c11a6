package io.weir.testkit.mutants;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.simulation.oracle.Oracle;
import io.weir.testkit.cluster.Report;
import io.weir.testkit.load.Caller;
import io.weir.testkit.load.Load;
import java.time.Duration;
import java.util.List;

/** The costs: exchanges, and permits that no caller gets to use. */
final class Frugal {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private Frugal() {}

  /** A bucket far below its limit, but hot: hardly any request needs the store. */
  static List<String> hot(long seed) {
    Policy policy = Lab.policy(Algorithm.SLIDING_WINDOW, 60_000, MINUTE);
    return exchanges(seed, 2, Load.poisson(Caller.of(policy, "hot"), 300), 10, 0.2);
  }

  /** Three times as many requests as are admitted. */
  static List<String> refused(long seed) {
    Policy policy = Lab.policy(Algorithm.FIXED_WINDOW, 1_000, MINUTE);
    return exchanges(seed, 4, Load.poisson(Caller.of(policy, "refused"), 100), 40, 0.4);
  }

  /** Few requests at once, then none for a while: permits ahead of them would all go back. */
  static List<String> slow(long seed) {
    Policy policy =
        Lab.policy(Algorithm.TOKEN_BUCKET, 1_000, MINUTE); // of which nothing is lent for long
    int requests = 2 + (int) (seed % 12);
    Caller caller = Caller.of(policy, "slow").at(Caller.Spread.one(0));
    Load bursts = Load.bursts(caller, requests, Lab.millis(100), Duration.ofSeconds(3));
    return exchanges(seed, 1, bursts, 60, 1.1);
  }

  private static List<String> exchanges(long seed, int nodes, Load load, int seconds, double most) {
    Lab lab = new Lab(Lab.cluster(seed, nodes).network(Lab.millis(3), Lab.millis(1)).load(load));
    lab.rest(Duration.ofSeconds(seconds));
    double is = lab.cluster.report().exchangesPerRequest();
    lab.promise("exchanges", is <= most, is + " for a request, more than " + most);
    lab.tail(Duration.ofSeconds(3));
    return lab.verdict();
  }

  /** Answers that take long now and then; nothing is lost, so nothing may be wasted. */
  static List<String> spikes(Algorithm algorithm, double least, long seed) {
    Policy policy = Lab.policy(algorithm, 1_000, Duration.ofSeconds(4));
    Load load =
        Load.together(
            List.of(
                Load.flicker(Caller.of(policy, "flicker")),
                Load.poisson(Caller.of(policy, "steady"), 500)));
    Lab lab =
        new Lab(
            Lab.cluster(seed, 4)
                .settings(Lab.settings(50, 100))
                .faults(Flicker.spikes(0.1))
                .load(load));
    lab.rest(Duration.ofSeconds(12));
    Report report = lab.cluster.report();
    double use = new Oracle(report, OnStoreFailure.LOCAL).use().orElseThrow();
    lab.promise("use", use >= least, use + " of what one node would admit");
    return lab.verdict();
  }
}
