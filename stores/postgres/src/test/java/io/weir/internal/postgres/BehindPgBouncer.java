package io.weir.internal.postgres;

import io.weir.compat.postgres.PgBouncer;
import io.weir.compat.postgres.PostgresServer;
import io.weir.store.PermitStore;
import io.weir.testkit.PermitStoreContract;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;

/**
 * Runs the contract behind a PgBouncer in transaction mode with two connections, so that statements
 * of one session meet different connections. Left out where that version isn't installed.
 */
abstract class BehindPgBouncer extends PermitStoreContract {
  private static final Map<String, String> TWO_CONNECTIONS = Map.of("default_pool_size", "2");

  private final AtomicLong micros = new AtomicLong(1_700_000_040L * 1_000_000);
  private final PgBouncer.Version version;
  private final Map<String, String> settings;
  private PgBouncer pooler;

  BehindPgBouncer(PgBouncer.Version version, String preparedStatements) {
    this.version = version;
    this.settings = Map.of("weir.store.postgres.prepared-statements", preparedStatements);
  }

  @Override
  protected final PermitStore open() {
    version.assumePresent();
    String database = Databases.shared().replaceAll(".*/(\\w+)\\?.*", "$1");
    pooler = PgBouncer.start(version, PostgresServer.shared(), TWO_CONNECTIONS);
    return Databases.open(
        pooler.url(database) + "?user=postgres", settings, new SetClock(micros::get));
  }

  @AfterEach
  final void closePooler() {
    if (pooler != null) {
      pooler.close();
    }
  }

  @Override
  protected final void advance(Duration time) {
    micros.addAndGet(time.toNanos() / 1_000);
  }
}
