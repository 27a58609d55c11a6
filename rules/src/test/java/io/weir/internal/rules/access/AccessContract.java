package io.weir.internal.rules.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.rules.database.Sha256Digest;
import io.weir.internal.rules.database.TestSql;
import io.weir.rules.Rules;
import io.weir.rules.access.AccessToken;
import io.weir.rules.access.NewAccessToken;
import io.weir.rules.access.Session;
import io.weir.rules.history.RuleChange;
import io.weir.rules.problem.InvalidRuleException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tokens, sessions and nodes behave the same in every database. */
abstract class AccessContract {
  private static final String ADMIN = "weir-admin";
  private static final long PATIENCE_NANOS = Duration.ofMinutes(2).toNanos();
  private static final Instant TOMORROW =
      Instant.ofEpochSecond(Instant.now().getEpochSecond()).plus(Duration.ofDays(1));

  private final List<Rules> open = new ArrayList<>();
  private DataSource source;
  private Rules here;
  private Rules there;

  /** A database without tables. */
  abstract DataSource fresh();

  @BeforeEach
  void openTwoNodes() {
    source = fresh();
    here = node();
    there = node();
  }

  private Rules node() {
    Rules node = Rules.builder(source).timeout(Duration.ofSeconds(10)).build();
    open.add(node);
    return node;
  }

  @AfterEach
  void closeNodes() {
    open.forEach(Rules::close);
  }

  private static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, () -> "never: " + what);
      LockSupport.parkNanos(5_000_000);
    }
  }

  private NewAccessToken create(Optional<Instant> validUntil) {
    return here.tokens().create("tests", ADMIN, Optional.empty(), validUntil, "alice");
  }

  private static Session session() {
    return new Session(Set.of(ADMIN), Optional.empty(), TOMORROW);
  }

  @Test
  void aTokenIsFoundByItsSecretAloneAndOnEveryNode() {
    NewAccessToken made =
        here.tokens().create("alice's", "user", Optional.of("alice"), Optional.empty(), "root");
    there.tokens();

    AccessToken found = here.tokens().find(made.secret()).orElseThrow();
    assertEquals("user", found.role());
    assertEquals(Optional.of("alice"), found.userId());
    await("the other node hears of it", () -> there.tokens().find(made.secret()).isPresent());
    for (String wrong :
        List.of("", "weir_", made.secret() + "x", found.id(), "x".repeat(100_000))) {
      assertEquals(Optional.empty(), here.tokens().find(wrong));
    }
    assertFalse(made.toString().contains(made.secret()));
  }

  @Test
  void whatWasMadeElsewhereAMomentAgoIsReadAheadOfTime() {
    there.tokens();
    there.refresh();
    for (int i = 0; i < 3; i++) {
      NewAccessToken made = create(Optional.empty());
      assertTrue(soon(there.tokens().findSoon(made.secret())).isPresent());
      String cookie = here.sessions().openByToken(session(), made.secret());
      assertTrue(soon(there.sessions().findSoon(cookie)).isPresent());
      assertTrue(here.tokens().revoke(made.token().id(), "alice"));
      await("revoked there", () -> there.tokens().find(made.secret()).isEmpty());
      assertEquals(Optional.empty(), soon(there.tokens().findSoon(made.secret())));
      assertEquals(Optional.empty(), soon(there.sessions().findSoon(cookie)));
    }
  }

  private static <T> Optional<T> soon(CompletionStage<Optional<T>> found) {
    return found.toCompletableFuture().orTimeout(120, TimeUnit.SECONDS).join();
  }

  @Test
  void whatIsNoTokenOfWeirsIsAnsweredAtOnce() {
    for (String wrong : List.of("", "weir_", "x".repeat(48), "a.b.c", "weir_" + "ä".repeat(43))) {
      assertTrue(here.tokens().findSoon(wrong).toCompletableFuture().isDone(), wrong);
    }
    String guess = "weir_" + "x".repeat(43);
    assertEquals(Optional.empty(), soon(here.tokens().findSoon(guess)));
    assertTrue(
        here.tokens().findSoon(guess).toCompletableFuture().isDone(),
        "nothing is read for it again");
  }

  @Test
  void theDatabaseHasNothingToSignInWith() throws SQLException {
    NewAccessToken made = create(Optional.empty());
    String hash = Sha256Digest.of(made.secret()).substring(Sha256Digest.PREFIX.length());

    assertTrue(hash.startsWith(made.token().id()));
    assertEquals(Optional.empty(), here.tokens().find(hash));
    for (RuleChange change : here.history().latest(100)) {
      assertFalse(change.toString().contains(made.secret()));
    }
  }

  @Test
  void aRevokedTokenEndsOnEveryNodeWithItsSessions() {
    NewAccessToken made = create(Optional.empty());
    await("followed", () -> there.tokens().find(made.secret()).isPresent());
    String cookie = there.sessions().openByToken(session(), made.secret());
    await("the session is known here", () -> here.sessions().find(cookie).isPresent());

    assertTrue(here.tokens().revoke(made.token().id(), "alice"));

    assertEquals(Optional.empty(), here.tokens().find(made.secret()));
    assertEquals(Optional.empty(), here.sessions().find(cookie));
    await("revoked there", () -> there.tokens().find(made.secret()).isEmpty());
    assertEquals(Optional.empty(), there.sessions().find(cookie));
    assertFalse(here.tokens().revoke(made.token().id(), "alice"));
    assertEquals(1, here.tokens().all().size());
  }

  @Test
  void aTokenThatIsDeletedBySqlEndsToo() {
    NewAccessToken made = create(Optional.empty());
    TestSql.run(source, "DELETE FROM weir.weir_access_tokens");
    await("gone", () -> here.tokens().find(made.secret()).isEmpty());
  }

  /** The revocation is in a transaction that began before others and ends after them. */
  @Test
  void aRevocationThatIsCommittedLateEndsTheTokenOnEveryNode() throws SQLException {
    NewAccessToken made = create(Optional.empty());
    await("followed", () -> there.tokens().find(made.secret()).isPresent());
    try (Connection late = source.getConnection();
        Statement statement = late.createStatement()) {
      late.setAutoCommit(false);
      statement.execute("UPDATE weir.weir_access_tokens SET valid_until = CURRENT_TIMESTAMP");
      String cookie = here.sessions().openBySubject(session(), "issuer a");
      await("later sessions are known", () -> there.sessions().find(cookie).isPresent());
      late.commit();
    }
    await("revoked there", () -> there.tokens().find(made.secret()).isEmpty());
  }

  @Test
  void tokensAndSessionsAreInNoHistory() throws SQLException {
    NewAccessToken made = create(Optional.empty());
    String cookie = here.sessions().openByToken(session(), made.secret());
    here.sessions().end(cookie);
    here.tokens().revoke(made.token().id(), "alice");
    assertEquals(0, historyOfAccess());
  }

  private long historyOfAccess() {
    return TestSql.number(
        source,
        "SELECT COUNT(*) FROM weir.rule_changes"
            + " WHERE table_name IN ('weir_access_tokens', 'weir_sessions')");
  }

  /** An earlier version wrote tokens and sessions to the history. */
  @Test
  void pagesOfTheHistoryAreFullWhateverIsLeftOfTokensAndSessions() throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO weir.switches (policy, state, until) VALUES ('*', 'OFF', CURRENT_TIMESTAMP)");
      for (String table : List.of("weir_sessions", "weir_access_tokens", "weir_sessions")) {
        statement.execute(
            "INSERT INTO weir.rule_changes (at, table_name, row_key) VALUES (CURRENT_TIMESTAMP, '"
                + table
                + "', 'abc')");
      }
    }
    List<RuleChange> page =
        here.history()
            .list(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Long.MAX_VALUE,
                1);
    assertEquals(List.of("switches"), page.stream().map(RuleChange::table).toList());
    assertEquals("switches", here.history().latest(1).get(0).table());
  }

  @Test
  void aTokenEndsAtItsTime() {
    NewAccessToken over = create(Optional.of(Instant.now().minusSeconds(1)));
    NewAccessToken soon = create(Optional.of(Instant.now().plusMillis(700)));
    assertEquals(Optional.empty(), here.tokens().find(over.secret()));
    await("over by itself", () -> here.tokens().find(soon.secret()).isEmpty());
  }

  @Test
  void ofSeveralNodesOnAnEmptyDatabaseOneMakesTheFirstToken() throws Exception {
    int nodes = 6;
    CyclicBarrier start = new CyclicBarrier(nodes);
    ExecutorService threads = Executors.newFixedThreadPool(nodes);
    List<Future<Optional<NewAccessToken>>> tries = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      Rules node = i % 2 == 0 ? here : there;
      Callable<Optional<NewAccessToken>> first =
          () -> {
            start.await();
            return node.tokens().createFirst("first", ADMIN, "start");
          };
      tries.add(threads.submit(first));
    }
    List<NewAccessToken> made = new ArrayList<>();
    for (Future<Optional<NewAccessToken>> each : tries) {
      each.get().ifPresent(made::add);
    }
    threads.shutdown();

    assertEquals(1, made.size());
    assertEquals(1, here.tokens().all().size());
    here.tokens().revoke(made.get(0).token().id(), "alice");
    assertEquals(Optional.empty(), there.tokens().createFirst("again", ADMIN, "start"));
  }

  @Test
  void aSecretThatWasMadeElsewhereIsTakenOnceAndStaysRevoked() {
    String secret = "0123456789abcdef0123456789abcdef";
    assertTrue(here.tokens().adopt("from a file", ADMIN, secret, "start"));
    assertFalse(there.tokens().adopt("from a file", ADMIN, secret, "start"));
    assertTrue(here.tokens().find(secret).isPresent());
    assertEquals(Optional.empty(), here.tokens().createFirst("first", ADMIN, "start"));

    here.tokens().revoke(here.tokens().all().get(0).id(), "alice");
    assertFalse(here.tokens().adopt("from a file", ADMIN, secret, "start"));
    assertEquals(Optional.empty(), here.tokens().find(secret));
    for (String wrong : List.of("short", "0123456789abcdef 0123456789abcdef")) {
      assertThrows(
          IllegalArgumentException.class,
          () -> here.tokens().adopt("from a file", ADMIN, wrong, "start"));
    }
  }

  @Test
  void aTokenNeedsNameAndRoleThatFit() {
    for (String wrong : List.of("", " ", "x".repeat(201))) {
      assertThrows(
          InvalidRuleException.class,
          () -> here.tokens().create(wrong, ADMIN, Optional.empty(), Optional.empty(), "alice"));
    }
  }

  @Test
  void noTokenIsOfAUserByWhoseNameOthersAreCounted() {
    for (String wrong : List.of("*", "ip:192.0.2.1", "sha256:00", "ip:", " ")) {
      InvalidRuleException refused =
          assertThrows(
              InvalidRuleException.class,
              () -> here.tokens().create("t", "user", Optional.of(wrong), Optional.empty(), "a"));
      assertEquals("user_id", refused.problems().get(0).field());
    }
    assertEquals(List.of(), here.tokens().all());
  }

  @Test
  void theLastUseIsWrittenOnce() {
    NewAccessToken made = create(Optional.empty());
    here.tokens().find(made.secret());
    await("written", () -> here.tokens().all().get(0).lastUsed().isPresent());
    Optional<Instant> first = here.tokens().all().get(0).lastUsed();
    here.tokens().find(made.secret());
    here.refresh();
    assertEquals(first, here.tokens().all().get(0).lastUsed());
    assertTrue(here.tokens().revoke(made.token().id(), "alice"));
  }

  @Test
  void aSessionEndsAtItsTimeAndBySigningOut() {
    Session brief = new Session(Set.of("user"), Optional.of("a"), Instant.now().plusMillis(700));
    String over = here.sessions().openBySubject(brief, "issuer a");
    String cookie = here.sessions().openBySubject(session(), "issuer a");
    assertEquals(Optional.of(session()), here.sessions().find(cookie));
    await("over by itself", () -> here.sessions().find(over).isEmpty());

    there.sessions().end(cookie);
    there.sessions().end("weir_nobody");

    await("signed out here as well", () -> here.sessions().find(cookie).isEmpty());
    assertThrows(
        IllegalArgumentException.class,
        () -> here.sessions().openByToken(session(), "weir_nobody"));
  }

  @Test
  void whoSignsInAgainAndAgainHasTwentySessions() {
    NewAccessToken made = create(Optional.empty());
    String other = here.sessions().openBySubject(session(), "somebody else");
    List<String> cookies = new ArrayList<>();
    for (int i = 0; i < StoredSessions.MAX_SESSIONS + 3; i++) {
      Session later = new Session(Set.of(ADMIN), Optional.empty(), TOMORROW.plusSeconds(i));
      cookies.add(here.sessions().openByToken(later, made.secret()));
    }
    assertEquals(
        StoredSessions.MAX_SESSIONS,
        cookies.stream().filter(each -> here.sessions().find(each).isPresent()).count());
    assertTrue(here.sessions().find(cookies.get(StoredSessions.MAX_SESSIONS + 2)).isPresent());
    assertTrue(here.sessions().find(other).isPresent());
  }

  @Test
  void whatWasRevokedDoesNotComeBackFromTheHistory() {
    NewAccessToken made = create(Optional.empty());
    here.tokens().revoke(made.token().id(), "alice");
    for (RuleChange change : here.history().latest(10)) {
      assertThrows(
          IllegalArgumentException.class, () -> here.history().restore(change.number(), "mallory"));
    }
  }

  @Test
  void aForgottenUserHasNoTokens() {
    here.tokens().create("a's", "user", Optional.of("a"), Optional.empty(), "root");
    here.forget("a");
    assertEquals(List.of(), here.tokens().all());
  }
}
