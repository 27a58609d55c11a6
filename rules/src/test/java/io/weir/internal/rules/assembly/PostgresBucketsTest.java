package io.weir.internal.rules.assembly;

import io.weir.compat.postgres.PostgresServer;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresBucketsTest extends BucketsContract {
  @Override
  DataSource fresh() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(PostgresServer.shared().newDatabase());
    return source;
  }
}
