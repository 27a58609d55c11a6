package io.weir.internal.rules.nodes;

import io.weir.internal.rules.database.TestSql;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;

class H2NodeReportsTest extends NodeReportsContract {
  private String url = "";

  @Override
  DataSource fresh() {
    url = "jdbc:h2:mem:" + UUID.randomUUID();
    return JdbcConnectionPool.create(url + ";DB_CLOSE_DELAY=-1", "sa", "");
  }

  @Override
  DataSource reader(DataSource owner) {
    TestSql.run(owner, "CREATE USER reader PASSWORD 'p'", "GRANT SELECT ON SCHEMA weir TO reader");
    return JdbcConnectionPool.create(url, "reader", "p");
  }

  @Override
  void permit(DataSource owner) {
    TestSql.run(owner, "GRANT SELECT, INSERT, UPDATE, DELETE ON weir.weir_nodes TO reader");
  }
}
