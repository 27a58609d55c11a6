package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.seeds.OneDayIn;
import io.weir.test.log.LogLines;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A store behind sentinels goes where they say that the master is. */
@OneDayIn(2)
class SentinelTest {
  private final SentinelSetup setup = SentinelSetup.start();
  private final Asker asker = new Asker(setup.url(), "store.timeout", "2s");

  @AfterEach
  void close() {
    asker.close();
    setup.close();
  }

  @Test
  void followsAFailoverInOrder() {
    Await.until("it answers", asker::answers);
    RedisServer old = setup.master();
    setup.failover();
    Await.until("it answers again", asker::answers);
    Await.until("by the new master", () -> counts(setup.master()));
    assertNotEquals(old, setup.master());
  }

  @Test
  void followsWhenTheMasterDies() {
    Await.until("it answers", asker::answers);
    RedisServer old = setup.master();
    old.kill9();
    assertTrue(!asker.answers() || !setup.master().equals(old), "nobody takes its place at once");
    Await.until("it answers again", asker::answers);
    assertNotEquals(old, setup.master());
  }

  @Test
  void leavesAnOldMasterThatComesBack() {
    Await.until("it answers", asker::answers);
    RedisServer old = setup.master();
    old.pause();
    assertTrue(!asker.answers() || !setup.master().equals(old), "it doesn't answer");
    setup.awaitMasterOtherThan(old);
    old.resume();
    Await.until("it answers again", asker::answers);
    Await.until("by the new master", () -> countsAfterAHeartbeat(setup.master()));
    assertNotEquals(old, setup.master());
  }

  @Test
  void asksTheNextSentinelAndNeedsNoneWhileTheMasterIsThere() {
    setup.sentinels().get(0).kill9();
    Await.until("it answers", asker::answers);
    setup.sentinels().forEach(RedisServer::kill9);
    assertTrue(asker.answers());
    Asker.await(asker.store.heartbeat("node"));
    assertTrue(asker.answers());
  }

  @Test
  void keepsToTheLastMasterWhileAllSentinelsAreSilent() {
    try (LogLines log = new LogLines()) {
      Await.until("it answers", asker::answers);
      RedisServer master = setup.master();
      setup.sentinels().forEach(RedisServer::kill9);
      master.ask("CLIENT", "KILL", "TYPE", "normal");
      Await.until("it answers over new connections", () -> counts(master));
      assertTrue(asker.answers(), "and the next call as well");
      master.ask("CLIENT", "KILL", "TYPE", "normal");
      Await.until("it answers again", () -> counts(master));
      assertEquals(
          1, log.warnings().stream().filter(each -> each.contains("No sentinel of")).count());
    }
  }

  @Test
  void leavesTheLastMasterThatBecameAReplicaWhileAllSentinelsWereSilent() {
    Await.until("it answers", asker::answers);
    RedisServer master = setup.master();
    setup.sentinels().forEach(RedisServer::kill9);
    master.ask("REPLICAOF", "127.0.0.1", "1");
    master.ask("CLIENT", "KILL", "TYPE", "normal");
    for (int i = 0; i < 3; i++) {
      assertFalse(asker.answers(), "a replica counts nothing");
    }
  }

  @Test
  void saysThatTheMasterIsUnknown() {
    String other = setup.url().replace("/weir", "/other");
    try (Asker lost = new Asker(other)) {
      assertTrue(lost.fresh().contains("knows no master of that name"), lost.fresh());
    }
    List<RedisServer> sentinels = setup.sentinels();
    sentinels.forEach(RedisServer::kill9);
    try (Asker alone = new Asker(setup.url())) {
      assertTrue(alone.fresh().startsWith("no sentinel names the master"), alone.fresh());
    }
  }

  /** Whether a claim is counted by this server. */
  private boolean counts(RedisServer server) {
    long before = calls(server);
    return asker.answers() && calls(server) > before;
  }

  /** With a heartbeat a node asks who is the master. */
  private boolean countsAfterAHeartbeat(RedisServer server) {
    boolean beaten =
        asker
            .store
            .heartbeat("node")
            .toCompletableFuture()
            .handle((any, why) -> why == null)
            .join();
    return beaten && counts(server);
  }

  private static long calls(RedisServer server) {
    return server
        .ask("INFO", "commandstats")
        .lines()
        .filter(line -> line.startsWith("cmdstat_eval"))
        .mapToLong(line -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
        .sum();
  }

  @Test
  void logsInToSentinelsAndServersApart() {
    setup.sentinels().forEach(each -> each.ask("ACL", "SETUSER", "eye", "on", ">see", "+@all"));
    setup.sentinels().forEach(each -> each.ask("ACL", "SETUSER", "default", "resetpass", ">guard"));
    String url = setup.url();
    try (Asker without = new Asker(url);
        Asker with =
            new Asker(
                url, "store.redis.sentinel-user", "eye", "store.redis.sentinel-password", "see")) {
      assertFalse(without.answers());
      assertEquals("left 9", with.fresh());
    }
  }
}
