package io.weir.control;

import io.weir.Weir;
import io.weir.compat.postgres.PostgresServer;
import io.weir.rules.Rules;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import javax.sql.DataSource;

/** The tests of records, on PostgreSQL. {@link TomcatTest} runs all on H2 in every build. */
@OneDayIn(3)
@RunOneIn(5)
class PostgresRecordsTest extends AppPerTest implements RecordsTests {
  @Override
  public DataSource database() {
    return PostgresServer.source(PostgresServer.shared().newDatabase());
  }

  @Override
  public Server start(Weir weir, Rules rules) {
    return new GrizzlyTest().start(weir, rules);
  }
}
