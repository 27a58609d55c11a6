package io.weir.internal.rules.access;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Ticker;
import io.weir.internal.rules.database.RuleDatabase;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Signing out needs no sign-in, so clients may try it with any secret as often as they like. */
class StoredSessionsTest {
  private final List<String> calls = new ArrayList<>();
  private final RuleDatabase database =
      (RuleDatabase)
          Proxy.newProxyInstance(
              RuleDatabase.class.getClassLoader(),
              new Class<?>[] {RuleDatabase.class},
              (proxy, method, arguments) -> {
                calls.add(method.getName());
                return switch (method.getName()) {
                  case "find" -> Optional.empty();
                  case "fingerprint" -> "";
                  default -> List.of();
                };
              });

  @Test
  void aSignOutWithAnUnknownSecretReadsNoTable() {
    Ticker ticker = Ticker.system();
    try (CredentialCache cache = new CredentialCache(database, ticker, Duration.ofMillis(50))) {
      StoredSessions sessions = new StoredSessions(database, cache, ticker);
      sessions.end(AccessSecret.make());
      assertEquals(List.of("find"), calls);
      sessions.end("forged");
      sessions.end("");
      assertEquals(List.of("find"), calls);
    }
  }
}
