package io.weir.internal.rules.assembly;

import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import javax.sql.DataSource;

/** The contract that {@link H2QuotaTest} runs whole in every build, on PostgreSQL. */
@OneDayIn(3)
@RunOneIn(5)
class PostgresQuotaTest extends QuotaContract {
  @Override
  DataSource fresh() {
    return PostgresServer.source(PostgresServer.shared().newDatabase());
  }
}
