package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.access.AccessEntry;
import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.rules.AccessListRow;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The contract that {@link H2AccessListTest} runs whole in every build, on PostgreSQL. */
@OneDayIn(3)
@RunOneIn(5)
class PostgresAccessListTest extends AccessListContract {
  private String url;

  @Override
  DataSource fresh() {
    url = PostgresServer.shared().newDatabase();
    return PostgresServer.source(url);
  }

  @Test
  void aRoleThatMayOnlyReadFollowsTheEntriesAndChangesNone() {
    String role = "reader_of_" + url.replaceAll(".*/(\\w+)\\?.*", "$1");
    sql(
        "INSERT INTO weir.access_list (action, subject) VALUES ('DENY', 'user:mallory')",
        "CREATE ROLE " + role + " LOGIN",
        "GRANT USAGE ON SCHEMA weir TO " + role,
        "GRANT SELECT ON ALL TABLES IN SCHEMA weir TO " + role);
    DataSource reader = PostgresServer.source(url.replace("user=postgres", "user=" + role));
    RulesAssembly reading = node(Optional.empty(), () -> DatabaseOpener.open(reader, false));
    reading.feed.start(true);
    assertEquals(1, reading.accessList.rows().size());
    assertThrows(
        RulesUnavailableException.class,
        () ->
            reading.accessEntries.save(
                AccessListRow.of(AccessEntry.parse("deny user:eve")), "eve"));
    sql("UPDATE weir.access_list SET subject = 'user:eve'");
    reading.feed.refresh();
    assertEquals("deny user:eve", reading.accessList.rows().get(0).entry().toString());
  }
}
