package io.weir.internal.postgres;

import io.weir.Ticker;
import io.weir.store.BucketHasher;
import io.weir.store.PermitStore;
import io.weir.store.StoreProvider;
import java.net.URI;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Opens {@code jdbc:postgresql://host[:port][,…]/database[?…]}, or {@code datasource:NAME} for a
 * data source of the application. Reads {@code weir.secret} and what {@link PostgresSettings}
 * names. PostgreSQL needn't be there when the store is opened.
 *
 * <p>Safe for concurrent use.
 */
public final class PostgresProvider implements StoreProvider {
  @Override
  public Set<String> schemes() {
    return Set.of("jdbc", "datasource");
  }

  @Override
  public PermitStore open(URI address, UnaryOperator<String> setting, Ticker ticker) {
    PostgresAddress parsed = PostgresAddress.parse(address);
    PostgresSettings settings = new PostgresSettings(setting);
    return open(
        parsed,
        settings,
        BucketHasher.of(setting.apply("weir.secret")),
        new StoreClock(ticker),
        ticker);
  }

  /** Opens a store by a clock of the caller's choice. */
  static PostgresStore open(
      PostgresAddress address,
      PostgresSettings settings,
      BucketHasher names,
      StoreClock clock,
      Ticker ticker) {
    ConnectionSource source =
        address.url().isEmpty()
            ? new NamedDataSource(address.dataSource())
            : new DriverConnections(address, settings, ticker);
    return new PostgresStore(address, settings, source, names, clock, ticker);
  }
}
