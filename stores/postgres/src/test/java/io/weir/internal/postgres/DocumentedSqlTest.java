package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Ticker;
import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.store.StoreFailureLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The SQL of the pages is what Weir needs, and runs as it is written there. */
class DocumentedSqlTest {
  static final Iterable<String> PAGES = DocumentedSql.PAGES;

  @Test
  void tableOfThePageIsTheOneThatTheLogShows() {
    PostgresSettings usual = new PostgresSettings(name -> "");
    PostgresSchema schema =
        new PostgresSchema(
            usual, new StoreFailureLog("any", Ticker.system()), PostgresStore.MIN_LIFE_MICROS);
    assertEquals(
        inOneLine(schema.sql().replace("WEIR_USER", "weir")),
        inOneLine(DocumentedSql.block("docs/postgres.md", "CREATE").strip()));
  }

  /** The page has shorter lines than the log. */
  private static String inOneLine(String sql) {
    return sql.replaceAll("\\s+", " ");
  }

  @ParameterizedTest
  @FieldSource("PAGES")
  void statementForPgCronRemovesExpiredRowsAlone(String page) {
    String database = PostgresServer.shared().newDatabase();
    try (PostgresStore store = Databases.open(database)) {
      store.connect().toCompletableFuture().join();
      String row = "INSERT INTO weir_buckets SELECT %s, 1, %s + " + StoreClock.SQL + ", ''";
      Databases.run(database, String.format(row, "'\\x00'::bytea", -120_000_000));
      Databases.run(database, String.format(row, "'\\x01'::bytea", -120_000_000));
      Databases.run(database, String.format(row, "'\\x02ff'::bytea", -61_000_000));
      Databases.run(database, String.format(row, "'\\x01ff'::bytea", 0));
      Databases.run(database, DocumentedSql.block(page, "DELETE"));
      assertEquals(
          2,
          Databases.number(
              database, "SELECT count(*) FROM weir_buckets WHERE key IN ('\\x00', '\\x01ff')"));
      assertEquals(
          0,
          Databases.number(
              database, "SELECT count(*) FROM weir_buckets WHERE key IN ('\\x01', '\\x02ff')"));
    }
  }
}
