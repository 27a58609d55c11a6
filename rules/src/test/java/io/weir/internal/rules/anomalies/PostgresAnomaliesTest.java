package io.weir.internal.rules.anomalies;

import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.RunOneIn;
import javax.sql.DataSource;

@RunOneIn(10)
class PostgresAnomaliesTest extends AnomaliesContract {
  @Override
  DataSource fresh() {
    return PostgresServer.source(PostgresServer.shared().newDatabase());
  }
}
