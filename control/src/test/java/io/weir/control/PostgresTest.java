package io.weir.control;

import io.weir.Weir;
import io.weir.compat.postgres.PostgresServer;
import io.weir.rules.Rules;
import io.weir.seeds.RunOneIn;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The tests that read or change the database, on PostgreSQL. */
@RunOneIn(10)
class PostgresTest extends AppPerTest
    implements AdminTests, UserTests, CallerTests, DashboardTests, OutcomeTests, EventTests {
  @Override
  public DataSource database() {
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setURL(PostgresServer.shared().newDatabase());
    return database;
  }

  @Override
  public Server start(Weir weir, Rules rules) {
    return new GrizzlyTest().start(weir, rules);
  }
}
