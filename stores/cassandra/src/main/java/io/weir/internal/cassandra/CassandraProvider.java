package io.weir.internal.cassandra;

import io.weir.Ticker;
import io.weir.store.BucketHasher;
import io.weir.store.PermitStore;
import io.weir.store.StoreProvider;
import java.net.URI;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Opens {@code cassandra://[user[:password]@]host[:port][,…]/keyspace?dc=…[&tls=true]}. Reads
 * {@code weir.secret} and what {@link CassandraSettings} names. Cassandra needn't be there when the
 * store is opened.
 *
 * <p>Safe for concurrent use.
 */
public final class CassandraProvider implements StoreProvider {
  @Override
  public Set<String> schemes() {
    return Set.of("cassandra");
  }

  @Override
  public PermitStore open(URI address, UnaryOperator<String> setting, Ticker ticker) {
    CassandraAddress parsed = CassandraAddress.parse(address);
    CassandraSettings settings = new CassandraSettings(setting);
    return new CassandraStore(
        parsed,
        settings,
        BucketHasher.of(setting.apply("weir.secret")),
        new StoreClock(ticker),
        ticker);
  }
}
