package io.weir.internal.rules.usage;

import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import javax.sql.DataSource;

@OneDayIn(2)
@RunOneIn(5)
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
