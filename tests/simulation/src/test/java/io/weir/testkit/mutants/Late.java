package io.weir.testkit.mutants;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.simulation.oracle.Bound;
import io.weir.simulation.oracle.Oracle;
import io.weir.testkit.cluster.Admission;
import io.weir.testkit.cluster.Report;
import io.weir.testkit.load.Caller;
import io.weir.testkit.load.Load;
import java.time.Duration;
import java.util.List;

/** A store that answers around the time-out of a decision. */
final class Late {
  /** Of 100; what no mistake was made in lets at most two through. */
  private static final long MAX_BEYOND = 4;

  private Late() {}

  static List<String> run(long seed) {
    Policy policy = Lab.policy(Algorithm.FIXED_WINDOW, 100, Duration.ofMinutes(1));
    Lab lab = new Lab(Lab.cluster(seed, 3).load(Load.poisson(Caller.of(policy, "who"), 85)));
    lab.rest(Duration.ofSeconds(3));
    lab.cluster.slow(Lab.millis(60), Lab.millis(180));
    lab.rest(Duration.ofSeconds(70));
    Report report = lab.cluster.report();
    long[] times = report.admissions().stream().mapToLong(Admission::time).toArray();
    long[] permits = report.admissions().stream().mapToLong(Admission::permits).toArray();
    lab.most("late", MAX_BEYOND, Bound.of(policy).excess(times, permits));
    new Oracle(report, OnStoreFailure.LOCAL)
        .onTopOfGrants()
        .forEach(each -> lab.promise(each.promise(), false, each.what()));
    return lab.verdict();
  }
}
