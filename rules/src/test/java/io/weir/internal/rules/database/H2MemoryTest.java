package io.weir.internal.rules.database;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.rules.database.connection.DatabaseOpener;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

public class H2MemoryTest extends RuleDatabaseContract {
  @Override
  DataSource fresh() {
    return memory();
  }

  public static DataSource memory() {
    JdbcDataSource source = new JdbcDataSource();
    source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    source.setUser("sa");
    return source;
  }

  @Test
  void aDatabaseThatWasReplacedByAnOlderOneIsTold() {
    RuleDatabase database = DatabaseOpener.open(fresh(), true);
    ChangeBatch batch = database.changesSince(new ChangePosition("999999;"), 10);
    assertTrue(batch.isLost());
    assertFalse(database.changesSince(batch.position(), 10).isLost());
  }
}
