package io.weir.internal.postgres;

import io.weir.store.PermitStore;
import io.weir.testkit.PermitStoreContract;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Runs the contract of stores, by a clock of the server that the test sets. */
class PostgresContractTest extends PermitStoreContract {
  private final AtomicLong micros = new AtomicLong(1_700_000_040L * 1_000_000);

  @Override
  protected PermitStore open() {
    return Databases.open(url(), Databases.PATIENT, new SetClock(micros::get));
  }

  /** Returns the address of the database. */
  String url() {
    return Databases.shared();
  }

  @Override
  protected void advance(Duration time) {
    micros.addAndGet(time.toNanos() / 1_000);
  }
}
