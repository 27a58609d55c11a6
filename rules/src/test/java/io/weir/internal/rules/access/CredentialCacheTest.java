package io.weir.internal.rules.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.internal.rules.database.H2MemoryTest;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.rules.access.AccessToken;
import io.weir.rules.access.AccessTokens;
import io.weir.rules.access.NewAccessToken;
import io.weir.rules.access.Session;
import io.weir.testkit.FakeTicker;
import io.weir.testkit.virtual.VirtualClock;
import io.weir.testkit.virtual.VirtualScheduler;
import io.weir.testkit.virtual.VirtualTime;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two nodes on one database, whose threads run on virtual time. */
class CredentialCacheTest {
  /** What the documentation promises. */
  private static final Duration THREE_SECONDS = Duration.ofSeconds(3);

  private final VirtualTime time = new VirtualTime(FakeTicker.START);
  private final Ticker clock = new VirtualClock(time, 0, 0, 0);
  private final RuleDatabase database = DatabaseOpener.open(H2MemoryTest.memory(), true);
  private final CredentialCache here = node();
  private final CredentialCache there = node();
  private final AccessTokens tokens = new StoredTokens(database, here, clock);

  private CredentialCache node() {
    return new CredentialCache(
        database, clock, Duration.ofSeconds(1), () -> new VirtualScheduler(time));
  }

  @BeforeEach
  void follow() {
    here.follow();
    there.follow();
    time.run(Duration.ofMillis(1_500)); // between two looks
  }

  @AfterEach
  void close() {
    here.close();
    there.close();
  }

  private NewAccessToken create() {
    return tokens.create("tests", "weir-admin", Optional.empty(), Optional.empty(), "alice");
  }

  private Session session() {
    return new Session(
        Set.of("weir-admin"), Optional.empty(), clock.instant().plus(Duration.ofDays(1)));
  }

  @Test
  void aTokenIsKnownAndRevokedOnAnotherNodeWithinThreeSeconds() {
    NewAccessToken made = create();
    assertEquals(Optional.empty(), there.token(made.secret()));
    time.run(THREE_SECONDS);
    assertEquals(Optional.of(made.token().id()), there.token(made.secret()).map(AccessToken::id));

    assertTrue(tokens.revoke(made.token().id(), "alice"));
    time.run(THREE_SECONDS);
    assertEquals(Optional.empty(), there.token(made.secret()));
  }

  @Test
  void aSessionEndsOnAnotherNodeWithinThreeSeconds() {
    StoredSessions sessions = new StoredSessions(database, here, clock);
    String cookie = sessions.openBySubject(session(), "issuer a");
    time.run(THREE_SECONDS);
    assertTrue(there.session(cookie).isPresent());

    sessions.end(cookie);
    time.run(THREE_SECONDS);
    assertEquals(Optional.empty(), there.session(cookie));
  }

  @Test
  void aSessionEndsAtOnceWhereItSignsOut() {
    StoredSessions sessions = new StoredSessions(database, here, clock);
    String cookie = sessions.openBySubject(session(), "issuer a");
    assertTrue(sessions.find(cookie).isPresent());
    sessions.end(cookie);
    assertEquals(Optional.empty(), sessions.find(cookie));
  }

  @Test
  void aTokenEndsAtOnceWhereItIsRevoked() {
    NewAccessToken made = create();
    assertTrue(tokens.find(made.secret()).isPresent());
    assertTrue(tokens.revoke(made.token().id(), "alice"));
    assertEquals(Optional.empty(), tokens.find(made.secret()));
  }
}
