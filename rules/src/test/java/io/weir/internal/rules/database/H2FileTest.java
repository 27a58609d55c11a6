package io.weir.internal.rules.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.database.connection.DatabaseSettings;
import io.weir.internal.rules.database.connection.OpenDatabase;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract on an H2 in a file, opened as {@code weir.rules=jdbc:h2:file:…} does. */
@OneDayIn(2)
@RunOneIn(3)
class H2FileTest extends RuleDatabaseContract {
  @TempDir Path directory;

  private final List<OpenDatabase> open = new ArrayList<>();

  @Override
  DataSource fresh() {
    OpenDatabase database =
        DatabaseOpener.connect(DatabaseSettings.of("jdbc:h2:file:" + directory.resolve("rules")));
    open.add(database);
    return database.source();
  }

  /** As the threads of an application are when it cancels a request. */
  @Test
  void interruptedThreadsCloseNothing() throws Exception {
    RuleDatabase database = DatabaseOpener.open(fresh(), true);
    for (int i = 0; i < 20; i++) {
      Thread impatient =
          new Thread(
              () -> {
                Thread.currentThread().interrupt();
                database.insert(RuleTable.RULES, RULE, "alice");
                assertTrue(Thread.currentThread().isInterrupted());
              });
      impatient.start();
      impatient.join();
      assertEquals(i + 1, database.all(RuleTable.RULES).size());
    }
  }

  @Test
  void aFileThatWasClosedIsOpenedAgain() {
    DataSource source = fresh();
    RuleDatabase database = DatabaseOpener.open(source, true);
    database.insert(RuleTable.RULES, RULE, "alice");
    assertThrows(
        AssertionError.class, () -> TestSql.run(source, "SHUTDOWN")); // the connection goes too
    int failures = 0;
    while (true) {
      try {
        assertEquals(1, database.all(RuleTable.RULES).size());
        break;
      } catch (RulesUnavailableException closed) {
        failures++;
        assertTrue(failures <= DatabaseSettings.USUAL_POOL, closed.getMessage());
      }
    }
    database.insert(RuleTable.RULES, RULE, "alice");
  }

  /** A copy of the file is what a process leaves that is killed. */
  @Test
  void whatWasCommittedIsInTheFile() throws Exception {
    RuleDatabase database = DatabaseOpener.open(fresh(), true);
    for (int i = 1; i <= 10; i++) {
      database.insert(RuleTable.RULES, RULE, "alice");
      Path copy = Files.createDirectory(directory.resolve("killed" + i));
      for (String file : List.of("rules.mv.db", "rules.password")) {
        Files.copy(directory.resolve(file), copy.resolve(file));
      }
      try (OpenDatabase left =
          DatabaseOpener.connect(DatabaseSettings.of("jdbc:h2:file:" + copy.resolve("rules")))) {
        assertEquals(i, DatabaseOpener.open(left.source(), false).all(RuleTable.RULES).size());
      }
    }
  }

  @AfterEach
  void close() {
    open.forEach(OpenDatabase::close);
  }
}
