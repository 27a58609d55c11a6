package io.weir.internal.rules.usage;

import io.weir.compat.postgres.PostgresServer;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresUsageTest extends UsageContract {
  @Override
  DataSource fresh() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(PostgresServer.shared().newDatabase());
    return source;
  }
}
