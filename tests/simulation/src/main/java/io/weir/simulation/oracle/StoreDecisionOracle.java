package io.weir.simulation.oracle;

import io.weir.testkit.cluster.Admission;
import java.util.Comparator;
import java.util.List;

/**
 * Counts admissions at the times at which their permits were spent: by the store's decision for
 * requests that waited for it, from leases otherwise. So a request counts at a time between its
 * arrival and its answer, however far away the store is.
 *
 * <p>Immutable.
 */
final class StoreDecisionOracle {
  private final Bound bound;

  StoreDecisionOracle(Bound bound) {
    this.bound = bound;
  }

  /** Returns the permits beyond what is allowed, in the worst interval; 0 if there are none. */
  long excess(List<Admission> admissions) {
    List<Admission> inOrder =
        admissions.stream().sorted(Comparator.comparingLong(Admission::spent)).toList();
    return bound.excess(
        inOrder.stream().mapToLong(Admission::spent).toArray(),
        inOrder.stream().mapToLong(Admission::permits).toArray());
  }
}
