package io.weir.internal.postgres;

import io.weir.compat.postgres.PostgresServer;
import io.weir.store.PermitStore;
import io.weir.testkit.PermitStoreContract;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Runs the contract of stores on another version of PostgreSQL than the newest. */
abstract class ContractOnVersion extends PermitStoreContract {
  private static final Map<Integer, String> DATABASES = new ConcurrentHashMap<>();

  private final AtomicLong micros = new AtomicLong(1_700_000_040L * 1_000_000);
  private final int major;

  ContractOnVersion(int major) {
    this.major = major;
  }

  @Override
  protected final PermitStore open() {
    String database =
        DATABASES.computeIfAbsent(major, each -> PostgresServer.shared(each).newDatabase());
    return Databases.open(database, Databases.PATIENT, new SetClock(micros::get));
  }

  @Override
  protected final void advance(Duration time) {
    micros.addAndGet(time.toNanos() / 1_000);
  }
}
