package io.weir.internal.rules.usage;

import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.RunOneIn;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

@RunOneIn(10)
class PostgresUsageSumsTest extends UsageSumsContract {
  @Override
  DataSource fresh() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(PostgresServer.shared().newDatabase());
    return source;
  }

  @Override
  String slow() {
    return "SELECT pg_sleep(60)";
  }

  @Override
  String timeoutOfConnection() {
    return "SHOW statement_timeout";
  }
}
