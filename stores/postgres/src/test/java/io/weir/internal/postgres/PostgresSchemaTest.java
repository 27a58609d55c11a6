package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.compat.postgres.PostgresServer;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Makes the table, or says what an administrator has to run. */
class PostgresSchemaTest {
  private static final String SETTING = "weir.store.postgres.";

  private final String database = PostgresServer.shared().newDatabase();

  private static PostgresStore open(String url, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.putIfAbsent("weir.store.timeout", "10s");
    return Databases.open(url, all, new StoreClock(Ticker.system()));
  }

  private static BucketId bucket() {
    BucketSpec spec =
        BucketSpec.builder("schema")
            .algorithm(Algorithm.FIXED_WINDOW)
            .window(Duration.ofDays(300))
            .build();
    return new BucketId(spec, Key.of("caller"));
  }

  static long take(PostgresStore store, long permits) {
    Claim claim = Claim.of(bucket(), permits, 10, 10);
    Grant grant = store.execute(List.of(claim)).toCompletableFuture().join().get(0).orElseThrow();
    return grant.permits();
  }

  private static String refused(PostgresStore store) {
    CompletionException refused = assertThrows(CompletionException.class, () -> take(store, 1));
    return String.valueOf(refused.getCause().getMessage());
  }

  @Test
  void isMadeByManyNodesAtOnce() {
    List<PostgresStore> nodes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      nodes.add(open(database, Map.of(SETTING + "schema", "limits")));
    }
    var all = nodes.stream().map(each -> each.connect().toCompletableFuture()).toList();
    all.forEach(each -> each.join());
    nodes.forEach(each -> assertEquals(1, take(each, 1)));
    nodes.forEach(PostgresStore::close);
    assertEquals(1, Databases.number(database, "SELECT count(*) FROM limits.weir_buckets"));
  }

  /** The SQL of the message is what an administrator runs. */
  @Test
  void sqlOfTheMessageIsAllThatAUserNeeds() {
    Databases.run(database, "DROP ROLE IF EXISTS counts; CREATE ROLE counts LOGIN PASSWORD 'c'");
    String url = database.replace("user=postgres", "user=counts");
    PostgresStore store =
        open(url, Map.of(SETTING + "schema", "limits", SETTING + "create-schema", "false"));
    String message = refused(store);
    assertTrue(
        message.startsWith(
            "the table \"limits\".\"weir_buckets\" is missing, and"
                + " weir.store.postgres.create-schema is false. Run as an administrator"),
        message);
    Databases.run(
        database, message.substring(message.indexOf('\n') + 1).replace("WEIR_USER", "counts"));
    assertEquals(7, take(store, 7));
    assertEquals(3, store.sweep(0).thenApply(any -> 3).join());
    store.close();
    Databases.run(database, "DROP SCHEMA limits CASCADE; DROP ROLE counts");
  }

  @Test
  void aUserWithoutRightsIsToldTheGrants() {
    Databases.run(database, "DROP ROLE IF EXISTS reads; CREATE ROLE reads LOGIN");
    PostgresStore owner = open(database, Map.of());
    assertEquals(1, take(owner, 1));
    owner.close();
    PostgresStore store = open(database.replace("user=postgres", "user=reads"), Map.of());
    assertTrue(refused(store).contains("permission denied"), refused(store));
    Databases.run(database, "GRANT SELECT, INSERT, UPDATE, DELETE ON public.weir_buckets TO reads");
    assertEquals(1, take(store, 1));
    store.close();
    Databases.run(database, "DROP OWNED BY reads; DROP ROLE reads");
  }

  @Test
  void aUserThatMayNotCreateTablesIsToldTheSql() {
    Databases.run(
        database,
        "REVOKE CREATE ON SCHEMA public FROM PUBLIC; DROP ROLE IF EXISTS poor;"
            + " CREATE ROLE poor LOGIN");
    PostgresStore store = open(database.replace("user=postgres", "user=poor"), Map.of());
    String message = refused(store);
    assertTrue(message.contains("its user may not create tables"), message);
    assertTrue(message.contains("GRANT SELECT, INSERT, UPDATE, DELETE"), message);
    store.close();
    Databases.run(database, "DROP ROLE poor");
  }

  @Test
  void nodesWithAnotherShortestLifeOfLeasesDontCount() {
    PostgresStore first = open(database, Map.of());
    assertEquals(1, take(first, 1));
    first.close();
    Databases.run(
        database,
        "COMMENT ON TABLE weir_buckets IS 'Rate limits, by Weir: format 1, leases of at least"
            + " 5000 microseconds'");
    PostgresStore store = open(database, Map.of());
    String message = refused(store);
    assertTrue(message.contains("format 1, leases of at least 5000 microseconds"), message);
    assertTrue(message.contains("needs format 2, leases of at least 10000 microseconds"), message);
    store.close();
  }

  @Test
  void aTableOfSomebodyElseIsLeftAlone() {
    Databases.run(database, "CREATE TABLE weir_buckets (key text)");
    PostgresStore store = open(database, Map.of());
    assertTrue(refused(store).contains("it may not be Weir's"));
    store.close();
  }

  private String role(String prefix) {
    return prefix + "_of_" + database.replaceAll(".*/(\\w+)\\?.*", "$1");
  }

  /** A role that may log in, and make tables in public. */
  private String creator(String prefix) {
    String role = role(prefix);
    Databases.run(
        database, "CREATE ROLE " + role + " LOGIN; GRANT CREATE ON SCHEMA public TO " + role);
    return database.replace("user=postgres", "user=" + role(prefix));
  }

  /** In databases of PostgreSQL 14 anybody may create in public, also before Weir does. */
  @Test
  void aTableThatAStrangerMadeIsRefusedUnlessTheStrangerIsNamed() {
    try (PostgresStore stranger = open(creator("stranger"), Map.of())) {
      assertEquals(1, take(stranger, 1));
    }
    Databases.run(database, "GRANT ALL ON weir_buckets TO PUBLIC");
    String counter = creator("counter");
    for (String url : List.of(counter, database)) {
      try (PostgresStore store = open(url, Map.of())) {
        String message = refused(store);
        assertTrue(message.contains("belongs to " + role("stranger") + ", which can"), message);
      }
    }
    Map<String, String> named = Map.of(SETTING + "owners", "another, " + role("stranger"));
    try (PostgresStore store = open(counter, named)) {
      assertEquals(1, take(store, 1));
    }
    Databases.run(database, "GRANT " + role("stranger") + " TO " + role("counter"));
    try (PostgresStore store = open(counter, Map.of())) {
      assertEquals(1, take(store, 1), "of a role whose member it is");
    }
  }

  /** Nodes of another region look for the mark, perhaps before the first of this one starts. */
  @Test
  void aNodeOfAnotherRegionMakesNoTableAndNeedsFewRights() {
    String reports = creator("reports");
    Map<String, String> named = Map.of(SETTING + "owners", role("counter"));
    try (PostgresStore other = open(reports, named)) {
      assertEquals(Optional.empty(), mark(other, Optional.empty()));
      Optional<String> kept = Optional.of("region us, secret 0a1b");
      try (PostgresStore own = open(creator("counter"), Map.of())) {
        assertEquals(1, take(own, 1), "in a table of its own");
        assertEquals(kept, mark(own, kept));
      }
      Databases.run(database, "GRANT SELECT, INSERT, UPDATE ON weir_buckets TO " + role("reports"));
      assertEquals(kept, mark(other, Optional.empty()));
      assertEquals(1, take(other, 1));
    }
    try (PostgresStore stranger = open(reports, Map.of())) {
      CompletionException refused =
          assertThrows(CompletionException.class, () -> mark(stranger, Optional.empty()));
      String why = String.valueOf(refused.getCause().getMessage());
      assertTrue(why.contains("belongs to " + role("counter") + ", which can"), why);
    }
  }

  /** People look from another region, perhaps before the first node of this one starts. */
  @Test
  void aLoginThatMayOnlyReadIsEnoughToLookAndMakesNothing() {
    String looks = creator("looks");
    Databases.run(
        database, "ALTER ROLE " + role("looks") + " SET default_transaction_read_only = on");
    try (PostgresStore other = open(looks, Map.of(SETTING + "owners", role("counter")))) {
      assertEquals(Optional.empty(), mark(other, Optional.empty()));
      Optional<String> kept = Optional.of("region us, secret 0a1b");
      List<Claim> peeks = new ArrayList<>();
      try (PostgresStore own = open(creator("counter"), Map.of())) {
        assertEquals(kept, mark(own, kept));
        for (Algorithm algorithm : Algorithm.values()) {
          BucketId bucket =
              new BucketId(
                  BucketSpec.builder(algorithm.name())
                      .algorithm(algorithm)
                      .window(Duration.ofDays(300))
                      .build(),
                  Key.of("caller"));
          assertEquals(3, answer(own, Claim.of(bucket, 3, 10, 10)).get(0).permits());
          peeks.add(Claim.peek(bucket, 1, 10, 10));
        }
      }
      Databases.run(database, "GRANT SELECT ON weir_buckets TO " + role("looks"));
      assertEquals(kept, mark(other, Optional.empty()));
      peeks.add(Claim.peek(bucket(), 1, 10, 10)); // of which there is nothing yet
      List<Long> left = new ArrayList<>(Collections.nCopies(Algorithm.values().length, 7L));
      left.add(10L);
      long rows = Databases.number(database, "SELECT count(*) FROM weir_buckets");
      for (int i = 0; i < 2; i++) { // what is known then, too
        List<Grant> answers = answer(other, peeks.toArray(Claim[]::new));
        assertEquals(left, answers.stream().map(Grant::left).toList());
      }
      assertEquals(7, answer(other, peeks.get(0)).get(0).left());
      assertEquals(rows, Databases.number(database, "SELECT count(*) FROM weir_buckets"));
    }
  }

  private static List<Grant> answer(PostgresStore store, Claim... claims) {
    return store.execute(List.of(claims)).toCompletableFuture().join().stream()
        .map(Optional::orElseThrow)
        .toList();
  }

  private static Optional<String> mark(PostgresStore store, Optional<String> own) {
    return store.mark(own).toCompletableFuture().join();
  }

  @Test
  void aTriggerOfAStrangerIsRefused() {
    try (PostgresStore owner = open(database, Map.of())) {
      assertEquals(1, take(owner, 1));
    }
    String stranger = creator("stranger");
    Databases.run(database, "GRANT TRIGGER ON weir_buckets TO " + role("stranger"));
    Databases.run(
        stranger,
        """
        CREATE FUNCTION public.evil() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
        CREATE TRIGGER evil BEFORE INSERT ON weir_buckets
          FOR EACH ROW EXECUTE FUNCTION public.evil();
        """);
    try (PostgresStore store = open(database, Map.of())) {
      assertTrue(refused(store).contains("belongs to " + role("stranger")), refused(store));
      Databases.run(database, "DROP TRIGGER evil ON weir_buckets");
      assertEquals(1, take(store, 1), "as soon as it is gone");
    }
  }

  /** Its transaction may take long, or its machine may be frozen. */
  @Test
  void somebodyWhoIsMakingTheTableIsWaitedForNoLongerThanTheTimeOut() throws SQLException {
    String waiting =
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'weir'"
            + " AND datname = current_database() AND state = 'active'";
    try (Connection maker = PostgresServer.source(database).getConnection();
        Statement statement = maker.createStatement();
        PostgresStore store = open(database, Map.of("weir.store.timeout", "100ms"))) {
      maker.setAutoCommit(false);
      statement.execute("CREATE TABLE weir_buckets (key bytea PRIMARY KEY)");
      refused(store);
      Await.until("nothing waits", () -> Databases.number(database, waiting) == 0);
      maker.rollback();
      Await.until("the table is made", () -> isAnswered(store));
    }
  }

  private static boolean isAnswered(PostgresStore store) {
    return store.connect().toCompletableFuture().handle((any, failure) -> failure == null).join();
  }

  @Test
  void rowsAreUnloggedIfSet() {
    PostgresStore store = open(database, Map.of(SETTING + "durability", "unlogged"));
    assertEquals(1, take(store, 1));
    store.close();
    String unlogged =
        "SELECT count(*) FROM pg_class WHERE relname = 'weir_buckets' AND relpersistence = 'u'";
    assertEquals(1, Databases.number(database, unlogged));
  }

  /** Several schemas, prefixes and secrets share a database, and each counts alone. */
  @Test
  void schemasAndSecretsCountApart() {
    List<PostgresStore> stores = new ArrayList<>();
    stores.add(open(database, Map.of(SETTING + "schema", "one")));
    stores.add(open(database, Map.of(SETTING + "schema", "two")));
    stores.add(open(database, Map.of(SETTING + "schema", "two", "weir.prefix", "other")));
    stores.add(
        Databases.open(
            database,
            Map.of(SETTING + "schema", "two"),
            new StoreClock(Ticker.system()),
            "another secret"));
    for (PostgresStore each : stores) {
      assertEquals(7, take(each, 7));
      assertEquals(0, take(each, 7));
    }
    for (PostgresStore each : stores) {
      BucketSpec spec = bucket().spec();
      assertEquals(1, each.scan(spec, 10, "", 10).toCompletableFuture().join().buckets().size());
    }
    stores.forEach(PostgresStore::close);
  }

  @Test
  void callersCantBeReadInTheTable() {
    PostgresStore store = open(database, Map.of());
    assertEquals(1, take(store, 1));
    store.close();
    assertFalse(
        Databases.number(
                database,
                "SELECT count(*) FROM weir_buckets WHERE encode(key, 'escape') LIKE '%caller%'"
                    + " OR encode(state, 'escape') LIKE '%caller%'"
                    + " OR encode(key, 'escape') LIKE '%schema%'")
            > 0);
  }
}
