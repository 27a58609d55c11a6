package io.weir.control;

import io.weir.Weir;
import io.weir.compat.postgres.PostgresServer;
import io.weir.rules.Rules;
import io.weir.seeds.RunOneIn;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The tests of records, on PostgreSQL. */
@RunOneIn(10)
class PostgresRecordsTest extends AppPerTest implements RecordsTests {
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
