package io.weir.internal.rules.assembly;

import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.RunOneIn;
import javax.sql.DataSource;

@RunOneIn(10)
class PostgresBucketsTest extends BucketsContract {
  @Override
  DataSource fresh() {
    return PostgresServer.source(PostgresServer.shared().newDatabase());
  }
}
