package io.weir.internal.rules.assembly;

import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import javax.sql.DataSource;

@OneDayIn(2)
@RunOneIn(5)
class PostgresUpgradesTest extends UpgradesContract {
  @Override
  DataSource fresh() {
    return PostgresServer.source(PostgresServer.shared().newDatabase());
  }
}
