package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.test.log.LogLines;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes that count apart by mistake log it, on both sides once. */
class NeighboursTest {
  /** Longer than it takes until nodes look at each other again. */
  private static final int BEATS = 6;

  private final LogLines log = new LogLines();
  private final RedisServer server = RedisServer.start();

  @AfterEach
  void close() {
    server.close();
    log.close();
  }

  private Asker node(String prefix, String secret) {
    return node(server.url(), prefix, secret);
  }

  private static Asker node(String url, String prefix, String secret) {
    return new Asker(url, "prefix", prefix, "secret", secret);
  }

  private static void beat(Asker one, Asker other) {
    for (int i = 0; i < BEATS; i++) {
      Asker.await(one.store.heartbeat("one"));
      Asker.await(other.store.heartbeat("other"));
    }
  }

  /** Beats until this many warnings were logged, and for some time more. */
  private void assertWarnings(int number, Asker one, Asker other) {
    Await.until(
        number + " warnings",
        () -> {
          beat(one, other);
          return log.warnings().size() >= number;
        });
    beat(one, other);
    beat(one, other);
    assertEquals(number, log.warnings().size(), log.warnings()::toString);
    assertEquals(List.of(), log.errors());
  }

  @Test
  void bothSidesAreWarnedOnceOfAnotherSecret() {
    try (Asker one = node("", "secret of one");
        Asker other = node("", "secret of the other")) {
      assertWarnings(2, one, other);
      for (String line : log.warnings()) {
        assertTrue(line.startsWith("1 other node(s) with the weir.prefix 'weir'"), line);
        assertTrue(line.contains("127.0.0.1:" + server.port()), line);
        assertTrue(line.contains("Give all nodes the same weir.secret"), line);
        assertFalse(line.contains("secret of"), line);
      }
    }
  }

  @Test
  void aNodeWithoutASecretIsTakenForOneWithAnother() {
    try (Asker one = node("p", "secret");
        Asker other = node("p", "")) {
      Await.until(
          "both are warned",
          () -> {
            beat(one, other);
            return log.warnings().stream().filter(each -> each.contains("'p'")).count() == 2;
          });
    }
  }

  @Test
  void bothSidesAreWarnedOnceOfAnotherPrefix() {
    try (Asker one = node("", "secret");
        Asker other = node("shop", "secret")) {
      assertWarnings(2, one, other);
      String lines = log.warnings().toString();
      assertTrue(lines.contains("different weir.prefix, 'shop' instead of 'weir'"), lines);
      assertTrue(lines.contains("different weir.prefix, 'weir' instead of 'shop'"), lines);
    }
  }

  @Test
  void whoeverSharesBothOrNothingIsNotWarnedOf() {
    try (Asker one = node("shop", "secret");
        Asker other = node("shop", "secret");
        Asker third = node("desk", "another")) {
      assertWarnings(0, one, other);
      assertWarnings(0, one, third);
    }
  }

  @Test
  void whoeverLeftIsNotWarnedOfAndAMistakeThatComesBackIs() {
    try (Asker one = node("", "secret");
        Asker other = node("", "another")) {
      assertWarnings(2, one, other);
      Asker.await(other.store.leave("other"));
      try (Asker mended = node("", "secret")) {
        assertWarnings(2, one, mended);
        Asker.await(mended.store.leave("other"));
      }
      Await.until(
          "it is logged again",
          () -> {
            beat(one, other);
            return log.warnings().size() > 2;
          });
    }
  }

  @Test
  void nothingOfTheSecretIsKeptThatSomebodyCouldUse() {
    try (Asker one = node("shop", "secret");
        Asker other = node("shop", "secret")) {
      Await.until(
          "they have met",
          () -> {
            beat(one, other);
            return server.ask("HLEN", "shop:neighbours").equals("2")
                && server.ask("HLEN", "weir:neighbours").equals("2");
          });
      for (String entry : server.ask("HVALS", "weir:neighbours").lines().toList()) {
        assertTrue(entry.matches("\\d+:[0-9a-f]{4}:shop"), entry);
      }
      assertFalse(server.ask("PTTL", "weir:neighbours").startsWith("-"), "it never ends");
    }
  }

  @Test
  void aUserOfOnePrefixIsTold() {
    server.ask("ACL", "SETUSER", "joe", "on", ">pw", "~shop:*", "+@all");
    String url = "redis://joe:pw@127.0.0.1:" + server.port();
    try (Asker one = node(url, "shop", "secret");
        Asker other = node(url, "shop", "another")) {
      assertWarnings(2, one, other);
      String refused = server.ask("ACL", "LOG");
      assertTrue(refused.contains("weir:neighbours"), refused);
      server.ask("ACL", "LOG", "RESET");
      beat(one, other);
      assertEquals("", server.ask("ACL", "LOG").strip(), "who was refused tries again");
    }
  }

  @Test
  void alsoInACluster() {
    try (ClusterSetup cluster = ClusterSetup.start();
        Asker one = node(cluster.url(), "", "secret");
        Asker other = node(cluster.url(), "", "another")) {
      assertWarnings(2, one, other);
    }
    try (ClusterSetup cluster = ClusterSetup.start();
        Asker one = node(cluster.url(), "", "secret");
        Asker other = node(cluster.url(), "shop", "secret")) {
      assertWarnings(4, one, other);
    }
  }
}
