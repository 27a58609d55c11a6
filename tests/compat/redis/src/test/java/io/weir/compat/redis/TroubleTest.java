package io.weir.compat.redis;

import static io.weir.compat.redis.Asker.LIMIT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.Grant;
import io.weir.test.log.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A store whose Redis is in trouble fails soon, says why, and recovers. */
class TroubleTest {
  private final LogLines log = new LogLines();
  private final RedisServer server =
      RedisServer.start("enable-protected-configs yes", "busy-reply-threshold 50");
  private Asker asker = new Asker(server.url());

  private void waitOnlyShortly(String... settings) {
    asker.close();
    String[] all = Arrays.copyOf(settings, settings.length + 2);
    all[settings.length] = "store.timeout";
    all[settings.length + 1] = "100ms";
    asker = new Asker(server.url(), all);
    Await.until("it answers", asker::answers);
  }

  @AfterEach
  void close() {
    asker.close();
    server.close();
    log.close();
  }

  @Test
  void aStoppedOneIsGivenUp() {
    waitOnlyShortly();
    server.pause();
    for (int i = 0; i < 3; i++) {
      assertTrue(asker.left("a").contains("127.0.0.1:" + server.port()), asker.left("a"));
    }
    server.resume();
    Await.until("it answers again", () -> asker.answers());
    assertEquals(List.of(), log.errors());
  }

  @Test
  void aKilledOneIsFoundAgainWhenItComesBackEmpty() {
    assertEquals("left 9", asker.left("a"));
    server.kill9();
    assertTrue(asker.left("a").startsWith("Redis at"), asker.left("a"));
    server.restart();
    Await.until("it answers again", () -> asker.answers());
    assertEquals("left 9", asker.left("a"));
  }

  @Test
  void oneThatIsNotThereYetIsFoundOnceItIs() {
    server.stop();
    try (Asker early = new Asker(server.url())) {
      assertFalse(early.answers());
      server.restart();
      Await.until("it answers", () -> early.answers());
    }
  }

  @Test
  void whatMayHaveBeenExecutedIsNotSentAgain() {
    assertEquals("left 9", asker.left("a"));
    try (Asker impatient = new Asker(server.url(), "store.timeout", "100ms")) {
      Await.until("it answers", impatient::answers);
      server.pause();
      assertTrue(impatient.left("a").contains("doesn't answer"));
      server.resume();
      Await.until("it answers again", impatient::answers);
    }
    // It read what it was sent once it woke up.
    assertEquals("left 7", asker.left("a"));
  }

  @Test
  void clientsThatArePausedAreGivenUp() {
    waitOnlyShortly();
    server.ask("CLIENT", "PAUSE", "600000", "WRITE"); // of all clients nobody could end it
    assertTrue(asker.left("a").contains("doesn't answer"), asker.left("a"));
    server.ask("CLIENT", "UNPAUSE");
    Await.until("it answers again", () -> asker.answers());
  }

  /** The commands that break and repair it, and a word of the advice. */
  @ParameterizedTest
  @CsvSource({
    "OOM, CONFIG SET maxmemory 1, CONFIG SET maxmemory 0, raise maxmemory",
    "NOREPLICAS, CONFIG SET min-replicas-to-write 1, CONFIG SET min-replicas-to-write 0, replicas",
  })
  void whatSomebodyMustMendIsSaidOnce(String kind, String broken, String mended, String advice) {
    assertEquals("left 9", asker.left("a"));
    assertEquals("OK", server.ask(broken.split(" ", -1)));
    for (int i = 0; i < 3; i++) {
      assertTrue(asker.left("b").startsWith(kind), asker.left("b"));
    }
    assertOneAlarm(kind, advice);
    assertEquals("OK", server.ask(mended.split(" ", -1)));
    assertEquals("left 8", asker.left("a"));
    assertOneAlarm(kind, advice);
  }

  private void assertOneAlarm(String kind, String advice) {
    assertEquals(1, log.errors().size(), () -> log.errors().toString());
    assertTrue(log.errors().get(0).contains(kind), log.errors().get(0));
    assertTrue(log.errors().get(0).contains(advice), log.errors().get(0));
  }

  @Test
  void aDiskThatIsFullIsSaidOnce() throws IOException {
    assertEquals("left 9", asker.left("a"));
    Files.createDirectory(server.directory().resolve("dump.rdb"));
    server.ask("CONFIG", "SET", "save", "3600 1000000");
    server.ask("BGSAVE");
    Await.until("it fails to save", () -> asker.fresh().startsWith("MISCONF"));
    assertOneAlarm("MISCONF", "disk");
    server.ask("CONFIG", "SET", "stop-writes-on-bgsave-error", "no");
    assertEquals("left 8", asker.left("a"));
  }

  @Test
  void aReplicaIsLeft() {
    assertEquals("left 9", asker.left("a"));
    server.ask("REPLICAOF", "127.0.0.1", "1");
    for (int i = 0; i < 3; i++) {
      assertTrue(asker.left("a").startsWith("READONLY"), asker.left("a"));
    }
    server.ask("REPLICAOF", "NO", "ONE");
    assertEquals("left 8", asker.left("a"));
    assertEquals(List.of(), log.errors());
  }

  @Test
  void anotherPasswordIsSaidOnce() {
    assertEquals("left 9", asker.left("a"));
    server.ask("CONFIG", "SET", "requirepass", "secret");
    try (Asker without = new Asker(server.url());
        Asker wrong = new Asker(server.url(), "store.redis.password", "not it");
        Asker right = new Asker(server.url(), "store.redis.password", "secret")) {
      assertTrue(without.left("a").startsWith("NOAUTH"), without.left("a"));
      assertTrue(without.left("a").startsWith("NOAUTH"), without.left("a"));
      assertOneAlarm("NOAUTH", "weir.store.redis.password");
      assertTrue(wrong.left("a").startsWith("WRONGPASS"), wrong.left("a"));
      assertEquals("left 8", right.left("a"));
    }
    assertFalse(log.errors().toString().contains("not it"), () -> log.errors().toString());
  }

  @Test
  void permissionsThatAreTakenAwayAreSaidOnce() {
    server.ask("ACL", "SETUSER", "joe", "on", ">pw", "~*", "+@all");
    try (Asker joe = new Asker("redis://joe:pw@127.0.0.1:" + server.port())) {
      assertEquals("left 9", joe.left("a"));
      server.ask("ACL", "SETUSER", "joe", "-evalsha");
      assertTrue(joe.left("a").startsWith("NOPERM"), joe.left("a"));
      server.ask("ACL", "SETUSER", "joe", "+evalsha", "resetkeys", "~other:*");
      String denied = joe.left("a");
      assertFalse(denied.startsWith("left"), denied);
      assertOneAlarm("NOPERM", "weir.prefix");
      server.ask("ACL", "SETUSER", "joe", "~*");
      assertEquals("left 8", joe.left("a"));
      server.ask("ACL", "DELUSER", "joe");
      Await.until("it is refused", () -> joe.left("a").startsWith("WRONGPASS"));
      server.ask("ACL", "SETUSER", "joe", "on", ">pw", "~*", "+@all");
      assertEquals("left 7", joe.left("a"));
    }
  }

  @Test
  void aKeyOfSomebodyElseFailsAlone() throws ExecutionException {
    assertEquals("left 9", asker.left("a"));
    String key = server.ask("KEYS", "weir:*");
    server.ask("DEL", key);
    server.ask("RPUSH", key, "mine");
    assertEquals(Optional.empty(), asker.execute("a", "b").get(0));
    assertEquals("failed alone", asker.left("a"));
    assertEquals("left 8", asker.left("b"));
    assertOneAlarm("WRONGTYPE", "weir.prefix");
    server.ask("DEL", key);
    assertEquals("left 9", asker.left("a"));
  }

  @Test
  void aLogThatFailsCostsNoAnswer() throws ExecutionException {
    assertEquals("left 9", asker.left("a"));
    String key = server.ask("KEYS", "weir:*");
    server.ask("DEL", key);
    server.ask("RPUSH", key, "mine");
    log.breakDown();
    List<Optional<Grant>> answers = asker.execute("a", "b");
    assertEquals(1, log.errors().size(), "it was tried");
    assertEquals(Optional.empty(), answers.get(0));
    assertEquals(LIMIT - 1, answers.get(1).orElseThrow().left());
  }

  @Test
  void aScriptThatRunsForEverIsSaidOnce() {
    assertEquals("left 9", asker.left("a"));
    CompletableFuture<String> other =
        CompletableFuture.supplyAsync(() -> server.ask("EVAL", "while true do end", "0"));
    Await.until("it is busy", () -> asker.left("a").startsWith("BUSY"));
    assertOneAlarm("BUSY", "SCRIPT KILL");
    assertEquals("OK", server.ask("SCRIPT", "KILL"));
    assertTrue(other.join().startsWith("-"), other.join());
    Await.until("it answers again", () -> asker.answers());
  }

  @Test
  void oneThatLoadsIsWaitedFor() {
    assertEquals("left 9", asker.left("a"));
    server.ask("DEBUG", "POPULATE", "5000");
    server.ask("CONFIG", "SET", "loading-process-events-interval-bytes", "1024");
    server.ask("CONFIG", "SET", "key-load-delay", "2000");
    CompletableFuture<String> reload =
        CompletableFuture.supplyAsync(() -> server.ask("DEBUG", "RELOAD"));
    Await.until("it loads", () -> asker.left("a").startsWith("LOADING"));
    server.ask("CONFIG", "SET", "key-load-delay", "0");
    assertEquals("OK", reload.join());
    Await.until("it answers again", () -> asker.answers());
    assertEquals(List.of(), log.errors());
  }

  @Test
  void aFewWaitingLinesDontStopTheOthers() {
    waitOnlyShortly("store.redis.connections", "1");
    server.pause();
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      all.add(asker.store.execute(List.of(Asker.claim("a"))).toCompletableFuture());
    }
    for (CompletableFuture<?> each : all) {
      each.handle((done, failed) -> failed).join();
      assertTrue(each.isCompletedExceptionally());
    }
    server.resume();
    Await.until("it answers again", () -> asker.answers());
  }
}
