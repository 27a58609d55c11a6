package io.weir.internal.rules.database;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.internal.rules.database.connection.DatabaseOpener;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Adopted tables may require columns that Weir may leave empty. */
class RequiredColumnsTest {
  @Test
  void anUpdateSetsARequiredColumnThatItDoesNotNameToItsDefault() {
    DataSource source = H2MemoryTest.memory();
    DatabaseOpener.open(source, true);
    TestSql.run(
        source,
        "ALTER TABLE rate_limit_rules ALTER COLUMN state SET DEFAULT 'ENFORCED'",
        "ALTER TABLE rate_limit_rules ALTER COLUMN state SET NOT NULL");
    RuleDatabase database = DatabaseOpener.open(source, true);
    StoredRow first =
        database.insert(
            RuleTable.RULES,
            RuleDatabaseContract.with(RuleDatabaseContract.RULE, "state", "SHADOW"),
            "alice");
    StoredRow second = database.update(first, RuleDatabaseContract.RULE, "alice");
    assertEquals(Optional.of("ENFORCED"), second.column("state"));
  }
}
