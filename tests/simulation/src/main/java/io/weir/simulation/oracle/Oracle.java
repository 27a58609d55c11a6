package io.weir.simulation.oracle;

import io.weir.Policy;
import io.weir.annotation.OnStoreFailure;
import io.weir.store.BucketId;
import io.weir.testkit.cluster.Admission;
import io.weir.testkit.cluster.Arrival;
import io.weir.testkit.cluster.Report;
import io.weir.testkit.cluster.Wipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Determines the promises that a cluster broke, from what it admitted and when.
 *
 * <p>Immutable.
 *
 * @param report what happened
 * @param onStoreFailure the decision without the store for policies that leave it to the settings
 */
public record Oracle(Report report, OnStoreFailure onStoreFailure) {
  /** The shortest life of grants that the use of a limit is measured by: 5 ms. */
  private static final long MIN_LIFE = 5_000;

  /**
   * All promises about what is admitted.
   *
   * @return the broken ones
   */
  public List<Violation> violations() {
    List<Violation> all = new ArrayList<>();
    for (String wrong : report.ledger()) {
      all.add(new Violation("ledger", wrong));
    }
    Predicate<Admission> degraded = Admission::degraded;
    byBucket(degraded.negate()).forEach((bucket, its) -> withStore(bucket, its, all));
    byBucket(degraded).forEach((bucket, admissions) -> without(admissions, all));
    return all;
  }

  /**
   * Checks that nodes that decided without the store added no more than their share less what they
   * had been granted. Not promised where a node holds so few buckets that it forgets some in use.
   *
   * @return the broken promises
   */
  public List<Violation> onTopOfGrants() {
    List<Violation> all = new ArrayList<>();
    byBucket(any -> true)
        .forEach(
            (bucket, admissions) -> {
              Policy policy = admissions.get(0).policy();
              if (decidesWithoutStore(policy) == OnStoreFailure.LOCAL && policy.overshoot() == 0) {
                admissions.stream()
                    .collect(Collectors.groupingBy(Admission::node, Collectors.toList()))
                    .forEach(
                        (node, its) -> new OwnShareCheck(policy).excess(its).ifPresent(all::add));
              }
            });
    return all;
  }

  private OnStoreFailure decidesWithoutStore(Policy policy) {
    OnStoreFailure own = policy.onStoreFailure();
    OnStoreFailure decision = own == OnStoreFailure.DEFAULT ? onStoreFailure : own;
    return decision == OnStoreFailure.DEFAULT ? OnStoreFailure.LOCAL : decision;
  }

  private Map<BucketId, List<Admission>> byBucket(Predicate<Admission> which) {
    return group(report.admissions().stream().filter(which).toList(), Admission::bucket);
  }

  private static <T> Map<BucketId, List<T>> group(List<T> all, Function<T, BucketId> bucket) {
    return all.stream().collect(Collectors.groupingBy(bucket, TreeMap::new, Collectors.toList()));
  }

  private void withStore(BucketId bucket, List<Admission> admissions, List<Violation> all) {
    List<Wipe> wipes = report.wipes().stream().filter(wipe -> wipe.concerns(bucket)).toList();
    within(remembered(wipes, admissions), all);
    long from = Long.MIN_VALUE;
    for (int i = 0; i < wipes.size() + 1 && !wipes.isEmpty(); i++) {
      long since = from;
      long to = i < wipes.size() ? wipes.get(i).time() : Long.MAX_VALUE;
      within(kept(admissions, each -> since <= each.time() && each.time() < to), all);
      from = to;
    }
  }

  // Admissions that no node could report again don't count; between two wipes all do.
  private static List<Admission> remembered(List<Wipe> wipes, List<Admission> admissions) {
    return kept(admissions, each -> wipes.stream().noneMatch(wipe -> wipe.forgets(each)));
  }

  private static List<Admission> kept(List<Admission> all, Predicate<Admission> which) {
    return all.stream().filter(which).toList();
  }

  private static void within(List<Admission> admissions, List<Violation> all) {
    if (admissions.isEmpty()) {
      return;
    }
    Policy policy = admissions.get(0).policy();
    String promise = policy.overshoot() > 0 ? "overshoot" : "limit";
    Bound bound = Bound.of(policy);
    long excess = excess(bound, answeredInSlot(admissions), Admission::time);
    long decided = new StoreDecisionOracle(bound).excess(admissions);
    if (excess > 0) {
      all.add(new Violation(promise, excess + " permits beyond " + bound));
    } else if (decided > 0) {
      String what = decided + " permits by the store's decision beyond " + bound;
      all.add(new Violation(promise, what));
    }
  }

  /** Leaves out requests that were answered after their slot: few if the store is near. */
  private static List<Admission> answeredInSlot(List<Admission> admissions) {
    return kept(admissions, each -> each.time() < each.slotEnd());
  }

  private void without(List<Admission> admissions, List<Violation> all) {
    Policy policy = admissions.get(0).policy();
    OnStoreFailure decision = decidesWithoutStore(policy);
    if (decision == OnStoreFailure.CLOSED) {
      all.add(new Violation("degraded", admissions.size() + " admitted although CLOSED"));
    } else if (decision != OnStoreFailure.OPEN) {
      admissions.stream()
          .collect(Collectors.groupingBy(Admission::node, TreeMap::new, Collectors.toList()))
          .forEach((node, its) -> locally(Bound.of(policy), its, all));
    }
  }

  private static void locally(Bound whole, List<Admission> admissions, List<Violation> all) {
    int nodes = admissions.stream().mapToInt(Admission::nodes).min().orElse(1);
    long excess = excess(whole.share(nodes), admissions, Admission::nodeTime);
    if (excess > 0) {
      all.add(new Violation("degraded", excess + " permits beyond 1/" + nodes + " of " + whole));
    }
  }

  private static long excess(
      Bound bound, List<Admission> admissions, Function<Admission, Long> clock) {
    long[] times = admissions.stream().mapToLong(clock::apply).toArray();
    long[] permits = admissions.stream().mapToLong(Admission::permits).toArray();
    return bound.excess(times, permits);
  }

  /**
   * Returns the share that the cluster admitted of what one node would have admitted.
   *
   * @return 1 for all of it; nothing if one node would have admitted nothing
   */
  public OptionalDouble use() {
    Map<BucketId, List<Arrival>> arrivals = group(report.arrivals(), Arrival::bucket);
    Map<BucketId, List<Admission>> admissions = group(report.admissions(), Admission::bucket);
    long possible = 0;
    long done = 0;
    for (Map.Entry<BucketId, List<Arrival>> each : arrivals.entrySet()) {
      Bound bound = Bound.of(each.getValue().get(0).policy());
      long from = report.start() + (OneNode.startsFull(bound) ? 2 * bound.window() : 0);
      possible += OneNode.admits(bound, MIN_LIFE, each.getValue(), from);
      for (Admission admission : admissions.getOrDefault(each.getKey(), List.of())) {
        done += admission.time() >= from ? admission.permits() : 0;
      }
    }
    return possible == 0 ? OptionalDouble.empty() : OptionalDouble.of(done / (double) possible);
  }
}
