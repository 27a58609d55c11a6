package io.weir.internal.rules.database.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.postgres.PostgresFaults;
import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.H2Node;
import io.weir.internal.rules.database.OtherProcess;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleDatabaseContract;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.SchemaName;
import io.weir.internal.rules.database.SqlState;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.database.TestSql;
import io.weir.internal.rules.database.TransactionRunner;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.seeds.OneDayIn;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@OneDayIn(2)
class DatabaseOpenerTest {
  private static final String SECRET = "s3cr3t-word";

  @TempDir Path directory;

  @Test
  void aFileAndItsPasswordAreTheirOwnersAlone() throws IOException {
    String url = "jdbc:h2:file:" + directory.resolve("new").resolve("rules");
    try (OpenDatabase first = DatabaseOpener.connect(DatabaseSettings.of(url))) {
      DatabaseOpener.open(first.source(), true)
          .insert(RuleTable.RULES, RuleDatabaseContract.RULE, "a");
    }
    Path password = directory.resolve("new").resolve("rules.password");
    assertEquals(
        "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(password)));
    Path database = directory.resolve("new").resolve("rules.mv.db");
    assertEquals(
        "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(database)));
    assertEquals(48, Files.readString(password).length());
    try (Stream<Path> files = Files.list(password.getParent())) {
      assertFalse(files.anyMatch(file -> file.toString().endsWith(".tmp")), "no draft stays");
    }
    try (OpenDatabase again = DatabaseOpener.connect(DatabaseSettings.of(url))) {
      assertEquals(1, DatabaseOpener.open(again.source(), true).all(RuleTable.RULES).size());
    }
  }

  @Test
  void anotherProcessReachesAFileThatIsOpenByLoopbackAlone() throws Exception {
    String url = "jdbc:h2:file:" + directory.resolve("rules");
    Process other = OtherProcess.start(H2Node.class, H2Node.READY, url);
    try {
      String lock = Files.readString(directory.resolve("rules.lock.db"));
      Matcher server = Pattern.compile("server=.*:(\\d+)").matcher(lock);
      assertTrue(server.find(), lock);
      assertNobodyElseReaches(Integer.parseInt(server.group(1)));
      JdbcDataSource source = new JdbcDataSource();
      source.setURL(url + ";AUTO_SERVER=TRUE");
      source.setUser("weir");
      source.setPassword(Files.readString(directory.resolve("rules.password")));
      RuleDatabase database = DatabaseOpener.open(source, true);
      database.insert(RuleTable.USERS, Map.of("user_id", "ann", "tier", "premium"), "alice");
      assertEquals("alice", database.latestChanges(1).get(0).by());
    } finally {
      other.destroy();
      other.waitFor();
    }
  }

  private static void assertNobodyElseReaches(int port) throws IOException {
    for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
      for (InetAddress address : Collections.list(network.getInetAddresses())) {
        if (!address.isLoopbackAddress()) {
          assertThrows(IOException.class, () -> new Socket(address, port).close(), "" + address);
        }
      }
    }
  }

  /** PostgreSQL's driver prefers what stands in the address. */
  @Test
  void theLoginOfTheSettingsReplacesThatOfTheAddress() throws SQLException {
    String url =
        PostgresServer.shared()
            .url("postgres")
            .replace("user=postgres", "user=absent&password=old&ApplicationName=other");
    DatabaseSettings settings =
        new DatabaseSettings(url, "postgres", SECRET, 1, Duration.ofSeconds(60));
    try (OpenDatabase database = DatabaseOpener.connect(settings)) {
      assertEquals(
          "postgres other",
          TestSql.text(
              database.source(),
              "SELECT current_user || ' ' || current_setting('application_name')"));
    }
  }

  /** As while somebody's migration locks a table. */
  @Test
  void aStatementThatIsGivenUpEndsInPostgres() {
    String url = PostgresServer.shared().newDatabase();
    DataSource admin = PostgresServer.source(url);
    TestSql.run(admin, "CREATE TABLE held ()");
    DatabaseSettings settings = new DatabaseSettings(url, "", "", 1, Duration.ofSeconds(2));
    try (OpenDatabase database = DatabaseOpener.connect(settings);
        var lock = PostgresFaults.lock(url, "held")) {
      TransactionRunner runner =
          new TransactionRunner(database.source(), Duration.ofSeconds(30), SchemaName.USUAL);
      RulesUnavailableException failure =
          assertThrows(
              RulesUnavailableException.class,
              () -> runner.read("held can't be read", connection -> read(connection, "held")));
      assertEquals("57014", SqlState.of(failure));
      assertEquals(
          0,
          TestSql.number(
              admin,
              "SELECT count(*) FROM pg_stat_activity"
                  + " WHERE wait_event_type = 'Lock' AND datname = current_database()"));
    }
  }

  private static boolean read(Connection connection, String table) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement("SELECT * FROM public." + table);
        ResultSet rows = query.executeQuery()) {
      return rows.next();
    }
  }

  @Test
  void aPasswordIsInNoMessage() {
    for (String url :
        List.of(
            "jdbc:postgresql://127.0.0.1:1/rules",
            "jdbc:postgresql://127.0.0.1:1/rules?user=weir&password=" + SECRET,
            "jdbc:postgresql://127.0.0.1:notaport/rules?password=" + SECRET,
            "jdbc:nothing://weir:" + SECRET + "@host/rules",
            "jdbc:h2:tcp://127.0.0.1:1/rules;PASSWORD=" + SECRET)) {
      DatabaseSettings settings =
          new DatabaseSettings(url, "weir", SECRET, 1, Duration.ofMillis(300));
      RulesUnavailableException told =
          assertThrows(
              RulesUnavailableException.class,
              () -> {
                try (OpenDatabase database = DatabaseOpener.connect(settings)) {
                  DatabaseOpener.open(database.source(), true);
                }
              },
              url);
      StringWriter trace = new StringWriter();
      told.printStackTrace(new PrintWriter(trace));
      assertFalse(trace.toString().contains(SECRET), trace.toString());
      assertFalse(settings.toString().contains(SECRET), settings.toString());
    }
  }

  @Test
  void whatIsNoDatabaseOfRulesIsSaid() {
    assertThrows(
        RulesUnavailableException.class,
        () -> DatabaseOpener.connect(DatabaseSettings.of("datasource:jdbc/rules")));
  }

  @Test
  void aFrozenDatabaseIsGivenUpAndUsedAgain() {
    try (PostgresServer server = PostgresServer.start();
        OpenDatabase open =
            DatabaseOpener.connect(
                new DatabaseSettings(
                    server.newDatabase(), "postgres", "", 4, Duration.ofMillis(500)))) {
      RuleDatabase database = DatabaseOpener.open(open.source(), true, Duration.ofMillis(500));
      StoredRow row = database.insert(RuleTable.RULES, RuleDatabaseContract.RULE, "alice");
      server.freeze();
      for (int i = 0; i < 6; i++) {
        assertThrows(RulesUnavailableException.class, () -> database.all(RuleTable.RULES));
      }
      server.thaw();
      assertEquals(List.of(row), database.all(RuleTable.RULES));
      server.kill();
      assertThrows(RulesUnavailableException.class, () -> database.all(RuleTable.RULES));
      server.restart();
      assertEquals(List.of(row), untilItAnswers(database));
    }
  }

  private static List<StoredRow> untilItAnswers(RuleDatabase database) {
    for (int attempt = 1; ; attempt++) {
      try {
        return database.all(RuleTable.RULES);
      } catch (RulesUnavailableException away) {
        assertTrue(attempt < 60, "it answers again");
      }
    }
  }
}
