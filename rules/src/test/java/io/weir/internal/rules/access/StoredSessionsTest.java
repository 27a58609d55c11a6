package io.weir.internal.rules.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.rules.access.Session;
import io.weir.rules.problem.RulesUnavailableException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Signing out needs no sign-in, so clients may try it with any secret as often as they like. */
class StoredSessionsTest {
  private final List<String> calls = new ArrayList<>();
  private final List<StoredRow> rows = new CopyOnWriteArrayList<>();
  private final CountDownLatch deleted = new CountDownLatch(1);
  private volatile boolean isAway;

  private final RuleDatabase database =
      (RuleDatabase)
          Proxy.newProxyInstance(
              RuleDatabase.class.getClassLoader(),
              new Class<?>[] {RuleDatabase.class},
              (proxy, method, arguments) -> {
                calls.add(method.getName());
                if (isAway) {
                  throw new RulesUnavailableException("away", null);
                }
                return switch (method.getName()) {
                  case "find" ->
                      rows.stream().filter(row -> row.key().equals(arguments[1])).findFirst();
                  case "fingerprint" -> "";
                  case "insert" -> add(arguments);
                  case "delete" -> remove(arguments[0]);
                  default -> arguments[0] == RuleTable.SESSIONS ? List.copyOf(rows) : List.of();
                };
              });

  private boolean remove(Object row) {
    boolean isRemoved = rows.remove(row);
    deleted.countDown();
    return isRemoved;
  }

  @SuppressWarnings("unchecked") // the columns
  private StoredRow add(Object[] arguments) {
    Map<String, String> columns = (Map<String, String>) arguments[1];
    StoredRow row = new StoredRow(RuleTable.SESSIONS, columns.get("hash"), columns);
    rows.add(row);
    return row;
  }

  @Test
  void aSessionThatEndsWhileTheDatabaseIsAwayEndsHereAtOnceAndThereLater()
      throws InterruptedException {
    Ticker ticker = Ticker.system();
    Session session =
        new Session(Set.of("user"), Optional.of("a"), ticker.instant().plusSeconds(3_600));
    try (CredentialCache cache = cache(ticker)) {
      StoredSessions sessions = new StoredSessions(database, cache, ticker);
      String ended = sessions.openBySubject(session, "issuer a");
      String other = sessions.openBySubject(session, "issuer a");
      isAway = true;
      assertFalse(sessions.end(ended), "on other nodes it goes on");
      assertEquals(Optional.empty(), sessions.find(ended));
      assertTrue(sessions.find(other).isPresent());
      assertThrows(RulesUnavailableException.class, () -> sessions.end(AccessSecret.make()));
      assertFalse(sessions.end(ended), "a second time");
      assertEquals(2, rows.size());

      isAway = false;
      cache.follow();
      assertTrue(deleted.await(1, TimeUnit.MINUTES));
      assertEquals(Optional.empty(), sessions.find(ended));
      assertTrue(sessions.find(other).isPresent());
      assertTrue(sessions.end(other));
    }
  }

  @Test
  void aSignOutWithAnUnknownSecretReadsNoTable() {
    Ticker ticker = Ticker.system();
    try (CredentialCache cache = cache(ticker)) {
      StoredSessions sessions = new StoredSessions(database, cache, ticker);
      sessions.end(AccessSecret.make());
      assertEquals(List.of("find"), calls);
      sessions.end("forged");
      sessions.end("");
      assertEquals(List.of("find"), calls);
    }
  }

  private CredentialCache cache(Ticker ticker) {
    return new CredentialCache(
        database,
        ticker,
        Duration.ofMillis(50),
        () -> DaemonThreadFactory.scheduler(DaemonThreadFactory.named("access"), 1));
  }
}
