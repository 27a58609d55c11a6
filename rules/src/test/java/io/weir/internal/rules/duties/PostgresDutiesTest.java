package io.weir.internal.rules.duties;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.Databases;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.seeds.OneIn;
import java.io.BufferedReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

@OneIn(10)
class PostgresDutiesTest extends DutiesContract {
  private String url = "";

  @Override
  DataSource fresh() {
    url = PostgresServer.shared().newDatabase();
    return source(url);
  }

  private static DataSource source(String url) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    return source;
  }

  @Test
  void theDutyOfAProcessThatWasKilledPassesOnAndNotBeforeItsTimeIsOver() throws Exception {
    RuleDatabase database = Databases.open(source(url), true);
    Duration hold = Duration.ofSeconds(4);
    Process other = start(hold);
    try (Duties mine = new Duties(database, "usage", "mine", hold)) {
      mine.start();
      Thread.sleep(hold.toMillis() / 2);
      assertFalse(mine.isMine(), "the other lives");
      other.destroyForcibly().waitFor();
      assertFalse(mine.isMine());
      await("it passes on", mine::isMine);
    } finally {
      other.destroyForcibly();
    }
  }

  private Process start(Duration hold) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process other =
        new ProcessBuilder(
                java,
                "-cp",
                System.getProperty("java.class.path"),
                DutyNode.class.getName(),
                url,
                String.valueOf(hold.toMillis()))
            .redirectError(Redirect.INHERIT)
            .start();
    BufferedReader said = other.inputReader();
    String line = said.readLine();
    while (line != null && !line.equals(DutyNode.MINE)) {
      line = said.readLine();
    }
    assertEquals(DutyNode.MINE, line);
    return other;
  }

  @Test
  void whoseDatabaseIsFrozenGivesTheDutyUpByItself() {
    try (PostgresServer server = PostgresServer.start()) {
      RuleDatabase database =
          Databases.open(source(server.newDatabase()), true, Duration.ofSeconds(1));
      try (Duties mine = new Duties(database, "usage", "mine", Duration.ofSeconds(2))) {
        mine.start();
        await("it is mine", mine::isMine);
        server.freeze();
        await("it isn't any more", () -> !mine.isMine());
        server.thaw();
        await("it is again", mine::isMine);
      }
    }
  }
}
