package io.weir.internal.rules.usage;

import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;

class H2UsageSumsTest extends UsageSumsContract {
  @Override
  DataSource fresh() {
    return JdbcConnectionPool.create(
        "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
  }

  @Override
  String slow() {
    return "SELECT COUNT(*) FROM SYSTEM_RANGE(1, 100000) a, SYSTEM_RANGE(1, 1000000) b"
        + " WHERE MOD(a.x * b.x, 7) = 8";
  }

  @Override
  String timeoutOfConnection() {
    return "SELECT setting_value FROM information_schema.settings WHERE setting_name ="
        + " 'QUERY_TIMEOUT' UNION ALL SELECT '0' LIMIT 1";
  }
}
