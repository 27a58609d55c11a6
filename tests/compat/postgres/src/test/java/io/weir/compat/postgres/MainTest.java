package io.weir.compat.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MainTest {
  private static final String STORE = "weir.store";
  private static final List<String> SEEN = new ArrayList<>();

  @BeforeEach
  @AfterEach
  void forget() {
    System.clearProperty(STORE);
    SEEN.clear();
  }

  @Test
  void startsAnApplicationOnAPostgresThatIsStartedAlong() throws Exception {
    Main.main(new String[] {Application.class.getName(), "hello"});
    assertEquals(List.of("hello", "postgres"), SEEN);
  }

  @Test
  void startsAnApplicationOnThePostgresThatIsNamed() throws Exception {
    String url = PostgresServer.shared().newDatabase();
    System.setProperty(STORE, url);
    Main.main(new String[] {Application.class.getName(), "again"});
    assertEquals(List.of("again", Sql.ask(url, "SELECT current_database()")), SEEN);
  }

  /** Notes what it was started with, and where its store is. */
  public static final class Application {
    private Application() {}

    /** As applications have it. */
    public static void main(String[] args) {
      SEEN.add(args[0]);
      SEEN.add(Sql.ask(System.getProperty(STORE), "SELECT current_database()"));
    }
  }
}
