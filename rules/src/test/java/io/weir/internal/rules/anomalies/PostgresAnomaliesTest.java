package io.weir.internal.rules.anomalies;

import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import javax.sql.DataSource;

@OneDayIn(2)
@RunOneIn(5)
class PostgresAnomaliesTest extends AnomaliesContract {
  @Override
  DataSource fresh() {
    return PostgresServer.source(PostgresServer.shared().newDatabase());
  }
}
