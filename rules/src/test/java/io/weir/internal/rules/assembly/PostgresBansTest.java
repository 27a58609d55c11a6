package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import io.weir.access.AccessSubject;
import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.bans.BanWriter;
import io.weir.internal.rules.database.MigratedPostgres;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The contract that {@link H2BansTest} runs whole in every build, on PostgreSQL. */
@OneDayIn(3)
@RunOneIn(5)
class PostgresBansTest extends BansContract {
  private String url;
  private HikariDataSource pool;

  @Override
  DataSource fresh() {
    url = MigratedPostgres.newDatabase();
    pool = MigratedPostgres.pool(url);
    return pool;
  }

  @AfterEach
  void closePool() {
    pool.close();
  }

  private String reader() {
    return "reader_of_" + url.replaceAll(".*/(\\w+)\\?.*", "$1");
  }

  private DataSource readOnly() {
    String role = reader();
    sql(
        "CREATE ROLE " + role + " LOGIN",
        "GRANT USAGE ON SCHEMA weir TO " + role,
        "GRANT SELECT ON ALL TABLES IN SCHEMA weir TO " + role);
    return PostgresServer.source(url.replace("user=postgres", "user=" + role));
  }

  @Test
  void aRoleThatMayOnlyReadFollowsTheBansOfOthersAndMakesNone() {
    DataSource reader = readOnly();
    RulesAssembly reading = node(() -> DatabaseOpener.open(reader, false));
    DatabaseAccessList list = new DatabaseAccessList(reading.accessList, reading.bans);
    assertFalse(list.keepsBans());
    list.ban(ban(1, LATE), "login");
    list.lift(AccessSubject.user("user1"));
    reading.bans.write();
    assertEquals(0, rows());
    write(others, ban(2, LATE));
    list.followBans(followed::add);
    for (int left = 1; left >= 0; left--) {
      reading.feed.refresh();
      assertEquals(left, followed.get(followed.size() - 1).size());
      others.lift(AccessSubject.user("user2"));
      others.write();
    }
  }

  @Test
  void aRightThatIsTakenAwayLaterFailsNothing() {
    BanWriter late = writer(DatabaseOpener.open(readOnly(), false), other);
    sql("GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA weir TO " + reader());
    write(late, ban(1, LATE));
    assertTrue(late.mayWrite());
    sql("REVOKE INSERT ON weir.access_list FROM " + reader());
    write(late, ban(2, LATE));
    assertFalse(late.mayWrite());
    write(late, ban(3, LATE));
    assertEquals(1, rows());
  }
}
