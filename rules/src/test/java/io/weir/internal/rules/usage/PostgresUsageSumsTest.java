package io.weir.internal.rules.usage;

import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.RunOneIn;
import javax.sql.DataSource;

@RunOneIn(10)
class PostgresUsageSumsTest extends UsageSumsContract {
  @Override
  DataSource fresh() {
    return PostgresServer.source(PostgresServer.shared().newDatabase());
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
