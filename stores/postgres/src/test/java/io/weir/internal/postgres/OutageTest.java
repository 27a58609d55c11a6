package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.OneDayIn;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.test.log.LogLines;
import java.net.URI;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that is away, slow or takes no writes; one that the tests of this class share. */
@OneDayIn(2)
class OutageTest {
  private static final PostgresServer SERVER = PostgresServer.start();
  private static final Map<String, String> IMPATIENT = Map.of("weir.store.timeout", "200ms");
  private static final String SETTINGS =
      "SELECT current_setting('synchronous_commit') || ' ' || current_setting('lock_timeout')"
          + " || ' ' || current_setting('statement_timeout')";
  private static final String NAMES = "SELECT count(*)::text FROM pg_prepared_statements";

  private final String database = SERVER.newDatabase();
  private PostgresStore store;
  private BucketId bucket;

  @BeforeEach
  void open() {
    store = Databases.open(database, IMPATIENT, new StoreClock(Ticker.system()));
    BucketSpec spec =
        BucketSpec.builder("outage")
            .algorithm(Algorithm.FIXED_WINDOW)
            .window(Duration.ofDays(300))
            .build();
    bucket = new BucketId(spec, Key.of(UUID.randomUUID().toString()));
    Await.until("the table is made", () -> isAnswered(take(1)));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  private CompletionStage<Long> take(long permits) {
    return store
        .execute(List.of(Claim.of(bucket, permits, 1_000_000, 1_000_000)))
        .thenApply(grants -> grants.get(0).orElseThrow().permits());
  }

  private static boolean isAnswered(CompletionStage<?> answer) {
    try {
      answer.toCompletableFuture().join();
      return true;
    } catch (CompletionException away) {
      return false;
    }
  }

  private String failure() {
    CompletionException failed =
        assertThrows(CompletionException.class, () -> take(1).toCompletableFuture().join());
    return String.valueOf(failed.getCause().getMessage());
  }

  private void works() {
    Await.until("claims are granted again", () -> isAnswered(take(1)));
  }

  @Test
  void afterAKillTheNextClaimsConnectAgain() {
    SERVER.kill();
    assertTrue(!failure().isEmpty());
    SERVER.restart();
    works();
  }

  @Test
  void connectionsThatAnOperatorEndsAreOpenedAgain() {
    Databases.run(
        database,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            + " WHERE application_name = 'weir' AND datname = current_database()");
    works();
  }

  /** As somebody's migration does. */
  @Test
  void aLockOnTheTableIsWaitedForNoLongerThanTheTimeOut() throws SQLException {
    try (Connection holder = PostgresServer.source(database).getConnection();
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("LOCK TABLE weir_buckets IN ACCESS EXCLUSIVE MODE");
      assertTrue(!failure().isEmpty());
      assertTrue(store.silentMicros(0) > 200_000, "silent for " + store.silentMicros(0));
      Await.until(
          "nothing waits on the server",
          () ->
              Databases.number(
                      database,
                      "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'weir'"
                          + " AND datname = current_database() AND state <> 'idle'")
                  == 0);
      holder.rollback();
    }
    works();
  }

  @Test
  void aServerWithoutWritesIsLeftForThePrimary() {
    try (LogLines log = new LogLines()) {
      takeNoWritesForAWhile();
      String place = database.replaceAll("jdbc:postgresql://(.*)[?].*", "PostgreSQL at $1");
      assertEquals(1, log.containing(place + " can't be used by Weir: it rejects writes").size());
      Await.until("it works again", () -> isTold(log, place + " can be used by Weir again"));
    }
  }

  private boolean isTold(LogLines log, String line) {
    works();
    return !log.containing(line).isEmpty();
  }

  private void takeNoWritesForAWhile() {
    Databases.run(
        database,
        "ALTER DATABASE "
            + database.replaceAll(".*/(\\w+)\\?.*", "$1")
            + " SET default_transaction_read_only = on");
    Databases.run(
        database,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            + " WHERE application_name = 'weir' AND datname = current_database()");
    Await.until("it says so", this::isReadOnly);
    Await.until("it says so again, which isn't logged", this::isReadOnly);
    Databases.run(
        SERVER.url("postgres"),
        "ALTER DATABASE "
            + database.replaceAll(".*/(\\w+)\\?.*", "$1")
            + " RESET default_transaction_read_only");
    works();
  }

  private boolean isReadOnly() {
    try {
      take(1).toCompletableFuture().join();
      return false;
    } catch (CompletionException refused) {
      return refused.getCause().getMessage().contains("25006");
    }
  }

  /** A commit that waits for a replica has no time-out. */
  @Test
  void commitsThatWaitForAReplicaDontPileUp() {
    Map<String, String> synchronous =
        Map.of(
            "weir.store.timeout",
            "50ms",
            "weir.store.postgres.durability",
            "synchronous",
            "weir.store.postgres.connections",
            "1");
    String waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    SERVER.set("synchronous_standby_names", "missing");
    try (PostgresStore waiter =
        Databases.open(database, synchronous, new StoreClock(Ticker.system()))) {
      Await.until(
          "commits wait",
          () -> !isAnswered(takeAnew(waiter)) && Databases.number(database, waiting) > 0);
      for (int i = 0; i < 5; i++) {
        boolean unused = isAnswered(takeAnew(waiter));
      }
      Await.until("only the last one waits", () -> Databases.number(database, waiting) <= 1);
    } finally {
      SERVER.set("synchronous_standby_names", "");
    }
  }

  private static CompletionStage<Long> takeAnew(PostgresStore store) {
    BucketSpec spec =
        BucketSpec.builder("anew")
            .algorithm(Algorithm.FIXED_WINDOW)
            .window(Duration.ofDays(300))
            .build();
    BucketId bucket = new BucketId(spec, Key.of(UUID.randomUUID().toString()));
    return store
        .execute(List.of(Claim.of(bucket, 1, 10, 10)))
        .thenApply(grants -> grants.get(0).orElseThrow().permits());
  }

  @Test
  void aFrozenServerIsSilentUntilItAnswers() {
    SERVER.freeze();
    try {
      assertTrue(!failure().isEmpty());
      assertTrue(store.silentMicros(0) > 200_000, "silent for " + store.silentMicros(0));
    } finally {
      SERVER.thaw();
    }
    works();
    Await.until("it owes nothing", () -> store.silentMicros(0) == 0);
  }

  @Test
  void settingsEndWithTheTransactionUnlessTheConnectionIsDirect() throws SQLException {
    String before = "on 0 0";
    String set = "off 20s 20s";
    SessionContext direct = context("auto");
    try (PostgresSession session = session(direct)) {
      assertEquals(set, ask(session, SETTINGS));
      assertEquals(set, askOutside(session), "they are made once");
      ask(session, NAMES);
      assertTrue(direct.prepares(), "no pooler is between");
      assertTrue(Integer.parseInt(ask(session, NAMES)) > 0, "statements have names");
    }
    try (PostgresSession session = session(context("false"))) {
      assertEquals(set, ask(session, SETTINGS));
      assertEquals(before, askOutside(session));
    }
  }

  private static SessionContext context(String prepared) {
    Map<String, String> all = new HashMap<>(Databases.PATIENT);
    all.put("weir.store.postgres.prepared-statements", prepared);
    return new SessionContext(
        new PostgresSettings(name -> all.getOrDefault(name, "")),
        new StoreClock(Ticker.system()),
        new SilenceMeter(Ticker.system()));
  }

  private PostgresSession session(SessionContext context) {
    PostgresSettings settings =
        new PostgresSettings(name -> Databases.PATIENT.getOrDefault(name, ""));
    PostgresAddress address = PostgresAddress.parse(URI.create(database));
    return new PostgresSession(new DriverConnections(address, settings, Ticker.system()), context);
  }

  private static String ask(PostgresSession session, String query) throws SQLException {
    return session.execute(query, (connection, statement) -> {}, (rows, at) -> text(rows));
  }

  private static String askOutside(PostgresSession session) throws SQLException {
    return session.inConnection(
        connection -> {
          try (Statement statement = connection.createStatement();
              ResultSet rows = statement.executeQuery(SETTINGS)) {
            return text(rows);
          }
        });
  }

  private static String text(ResultSet rows) throws SQLException {
    rows.next();
    return rows.getString(1);
  }
}
