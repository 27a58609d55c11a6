package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.Membership;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A store on one Redis without faults. */
class RedisStoreTest {
  private final Asker asker = new Asker(RedisServer.shared(), "prefix", RedisServer.prefix());

  @AfterEach
  void close() {
    asker.close();
  }

  @Test
  void countsForEveryoneWhoSharesThePrefix() {
    String prefix = RedisServer.prefix();
    try (Asker one = new Asker(RedisServer.shared(), "prefix", prefix);
        Asker other = new Asker(RedisServer.shared(), "prefix", prefix)) {
      assertEquals("left 9", one.left("a"));
      assertEquals("left 8", other.left("a"));
      assertEquals("left 9", asker.left("a"));
    }
  }

  @Test
  void answersManyClaimsInTheirOrder() throws ExecutionException {
    String[] names = IntStream.range(0, 300).mapToObj(i -> "n" + i % 100).toArray(String[]::new);
    List<Optional<Grant>> answers = asker.execute(names);
    for (int i = 0; i < names.length; i++) {
      assertEquals(9 - i / 100, answers.get(i).orElseThrow().left());
    }
    assertEquals(List.of(), asker.execute());
  }

  @Test
  void repeatsOnceWhatRedisHasForgotten() throws ExecutionException {
    try (RedisServer server = RedisServer.start();
        Asker one = new Asker(server.url())) {
      assertEquals("left 9", one.left("a"));
      assertEquals("OK", server.ask("SCRIPT", "FLUSH"));
      List<Long> left =
          one.execute("a", "b", "a").stream().map(each -> each.orElseThrow().left()).toList();
      assertEquals(List.of(8L, 9L, 7L), left);
      assertTrue(server.ask("INFO", "commandstats").contains("cmdstat_eval:calls=2"));
    }
  }

  @Test
  void logsInToItsDatabaseAndNeedsNoMorePermissionsThanItSays() {
    try (RedisServer server = RedisServer.start()) {
      server.ask("ACL", "SETUSER", "joe", "on", ">p@ss:/%", "~mine:*", "-@all");
      String commands =
          "+eval +evalsha +time +get +mget +set +setnx +msetnx +setrange +del +pexpireat"
              + " +hgetall +hmget +hset +hdel +pexpire +ping +select";
      for (String command : commands.split(" ", -1)) {
        assertEquals("OK", server.ask("ACL", "SETUSER", "joe", command));
      }
      String url = "redis://joe:p%40ss%3A%2F%25@127.0.0.1:" + server.port() + "/3";
      try (Asker joe = new Asker(url, "prefix", "mine")) {
        assertEquals("left 9", joe.left("a"));
        assertEquals("left 8", joe.left("a"));
        assertEquals(new Membership(1, Membership.WHOLE), heartbeat(joe, "node"));
        assertEquals("", server.ask("KEYS", "*"));
        Await.until(
            "the bucket, the nodes and the neighbours are there",
            () -> server.ask("INFO", "keyspace").contains("db3:keys=3,expires=3"));
      }
    }
  }

  @Test
  void sharesAmongThoseWhoLiveAndNeverMoreThanTheWhole() {
    assertEquals(new Membership(1, Membership.WHOLE), heartbeat(asker, "a"));
    // The answer that lowers the share of the first may be lost, so it isn't given away yet.
    assertEquals(new Membership(2, 0), heartbeat(asker, "b"));
    assertEquals(new Membership(2, Membership.WHOLE / 2), heartbeat(asker, "a"));
    assertEquals(new Membership(2, 0), heartbeat(asker, "b"));
    Asker.await(asker.store.leave("a"));
    assertEquals(new Membership(1, Membership.WHOLE), heartbeat(asker, "b"));
  }

  @Test
  void givesTheShareAwayOnceNobodyCanHoldIt() {
    heartbeat(asker, "a");
    Membership half = new Membership(2, Membership.WHOLE / 2);
    Await.until(
        "both have half",
        () -> List.of(heartbeat(asker, "a"), heartbeat(asker, "b")).equals(List.of(half, half)));
  }

  @Test
  void forgetsANodeThatIsSilent() {
    heartbeat(asker, "a");
    heartbeat(asker, "b");
    Await.until("alone", () -> heartbeat(asker, "b").equals(new Membership(1, Membership.WHOLE)));
  }

  private static Membership heartbeat(Asker who, String node) {
    return Asker.await(who.store.heartbeat(node));
  }

  @Test
  void looksWithoutTaking() {
    Claim look = Claim.peek(Asker.bucket("a"), 1, Asker.LIMIT, Asker.LIMIT);
    List<Optional<Grant>> answer = Asker.await(asker.store.execute(List.of(look)));
    assertEquals(Asker.LIMIT, answer.get(0).orElseThrow().left());
    assertEquals("left 9", asker.left("a"));
  }
}
