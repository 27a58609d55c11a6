package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.internal.rules.database.H2MemoryTest;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class H2MissedChangesTest extends MissedChangesContract {
  @Override
  DataSource fresh() {
    return H2MemoryTest.memory();
  }

  @Override
  String dropTrigger(String table) {
    return "DROP TRIGGER " + table + "_weir_change";
  }

  /** H2 runs no triggers then. */
  @Test
  void truncatedTablesAreFound() {
    sql("TRUNCATE TABLE " + USERS);
    look();
    assertEquals("-", tier("ann"));
    assertProblem("rows of user_tiers or quotas have changed without a trigger");
    sql("TRUNCATE TABLE " + RULES);
    ticker.advance(NEXT_COMPARISON);
    look();
    assertEquals(List.of(), limits());
    assertProblem("rows of rate_limit_rules have changed without a trigger");
  }
}
