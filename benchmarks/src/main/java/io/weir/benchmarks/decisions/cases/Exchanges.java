package io.weir.benchmarks.decisions.cases;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.ThreadParams;

/** Counts the exchanges between limiter and store during a measurement; thread 0 counts for all. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class Exchanges {
  /** Claims, all of them. */
  public long exchanges;

  /** Claims that a request waited for. */
  public long waits;

  private long exchangesBefore;
  private long waitsBefore;

  /** Starts counting; not in the public fields, which JMH sets to zero later. */
  @Setup(Level.Iteration)
  public void begin(OnLease lease) {
    exchangesBefore = lease.store().exchanges().sum();
    waitsBefore = lease.store().waits().sum();
  }

  /** Fails if the store did. */
  @TearDown(Level.Iteration)
  public void end(OnLease lease, ThreadParams thread) {
    CountedStore store = lease.store();
    boolean counts = thread.getThreadIndex() == 0;
    exchanges = counts ? store.exchanges().sum() - exchangesBefore : 0;
    waits = counts ? store.waits().sum() - waitsBefore : 0;
    if (store.failures().sum() > 0) {
      throw new IllegalStateException("the store failed");
    }
  }
}
