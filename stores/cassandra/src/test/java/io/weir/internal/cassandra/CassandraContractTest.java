package io.weir.internal.cassandra;

import io.weir.store.PermitStore;
import io.weir.testkit.PermitStoreContract;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Runs the contract of stores, by a clock of coordinators that the test sets. */
class CassandraContractTest extends PermitStoreContract {
  private final AtomicLong micros = new AtomicLong(1_700_000_040L * 1_000_000);

  @Override
  protected PermitStore open() {
    return Servers.open(Servers.shared(), Map.of(), clock());
  }

  final StoreClock clock() {
    return new SetClock(micros::get);
  }

  @Override
  protected void advance(Duration time) {
    micros.addAndGet(time.toNanos() / 1_000);
  }
}
