package io.weir.internal.rules.whatif;

import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;

class H2WhatIfTest extends WhatIfContract {
  @Override
  DataSource fresh() {
    return JdbcConnectionPool.create(
        "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
  }
}
