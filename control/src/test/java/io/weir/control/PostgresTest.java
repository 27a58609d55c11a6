package io.weir.control;

import io.weir.Weir;
import io.weir.compat.postgres.PostgresServer;
import io.weir.rules.Rules;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import javax.sql.DataSource;

/**
 * The tests that read or change the database, on PostgreSQL. {@link TomcatTest} runs all on H2 in
 * every build.
 */
@OneDayIn(3)
@RunOneIn(5)
class PostgresTest extends AppPerTest
    implements AdminTests, UserTests, CallerTests, DashboardTests, OutcomeTests, EventTests {
  @Override
  public DataSource database() {
    return PostgresServer.source(PostgresServer.shared().newDatabase());
  }

  @Override
  public Server start(Weir weir, Rules rules) {
    return new GrizzlyTest().start(weir, rules);
  }
}
