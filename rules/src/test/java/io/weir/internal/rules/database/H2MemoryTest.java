package io.weir.internal.rules.database;

import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

class H2MemoryTest extends RuleDatabaseContract {
  @Override
  DataSource fresh() {
    return memory();
  }

  static DataSource memory() {
    JdbcDataSource source = new JdbcDataSource();
    source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    source.setUser("sa");
    return source;
  }
}
