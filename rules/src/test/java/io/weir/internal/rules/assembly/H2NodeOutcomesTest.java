package io.weir.internal.rules.assembly;

import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;

class H2NodeOutcomesTest extends NodeOutcomesContract {
  @Override
  DataSource fresh() {
    return JdbcConnectionPool.create(
        "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
  }
}
