package io.weir.internal.rules.database;

import io.weir.compat.postgres.PostgresServer;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresTest extends RuleDatabaseContract {
  @Override
  DataSource fresh() {
    return source(PostgresServer.shared().newDatabase());
  }

  static DataSource source(String url) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    return source;
  }
}
