package io.weir.compat.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.redis.Await;
import io.weir.compat.redis.RedisServer;
import io.weir.seeds.RunOneIn;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@RunOneIn(value = 3, own = true)
class FaultsTest {
  private static final long FAULT_MILLIS = 1_500;

  private final RedisServer redis = RedisServer.start();

  @AfterEach
  void stop() {
    redis.close();
  }

  @Test
  void goesOnWhileTheStoreIsFrozen() throws Exception {
    Drill.run(
            "kill -STOP",
            redis.url(),
            () -> {
              redis.pause();
              Pause.millis(FAULT_MILLIS);
              assertTrue(redis.running());
              assertFalse(Probe.answers(redis.port()));
              redis.resume();
              Await.until("it answers", () -> Probe.answers(redis.port()));
            })
        .cutOff()
        .lostNothing();
  }

  @Test
  void goesOnWhileTheStoreIsDead() throws Exception {
    Drill.run(
            "kill -9",
            redis.url(),
            () -> {
              redis.kill9();
              Pause.millis(FAULT_MILLIS);
              assertFalse(redis.running());
              assertFalse(Probe.answers(redis.port()));
              redis.restart();
            })
        .cutOff()
        .forgotOnce();
  }

  @Test
  void goesOnWhenTheStoreComesBackEmpty() throws Exception {
    Drill.run(
            "restart empty",
            redis.url(),
            () -> {
              long pid = redis.pid();
              assertNotEquals("0", redis.ask("DBSIZE"));
              redis.restart();
              assertNotEquals(pid, redis.pid());
            })
        .forgotOnce();
  }

  @Test
  void goesOnWhenTheStoreForgetsItsScripts() throws Exception {
    Drill.run(
            "SCRIPT FLUSH",
            redis.url(),
            // Long enough that no decision is degraded because of the time-out.
            "3s",
            () -> {
              long before = errors("NOSCRIPT");
              assertEquals("OK", redis.ask("SCRIPT", "FLUSH", "SYNC"));
              Await.until("a node missed a script", () -> errors("NOSCRIPT") > before);
              Pause.millis(FAULT_MILLIS);
            })
        .unnoticed()
        .lostNothing();
  }

  @Test
  void goesOnWhileTheStorePausesItsClients() throws Exception {
    Drill.run(
            "CLIENT PAUSE",
            redis.url(),
            () -> {
              assertEquals("OK", redis.ask("CLIENT", "PAUSE", "" + FAULT_MILLIS, "ALL"));
              assertFalse(Probe.answers(redis.port()));
              Await.until("the pause is over", () -> Probe.answers(redis.port()));
            })
        .cutOff()
        .lostNothing();
  }

  @Test
  void goesOnWhileTheStoreIsFull() throws Exception {
    Drill.run(
            "maxmemory noeviction",
            redis.url(),
            () -> {
              assertEquals("OK", redis.ask("CONFIG", "SET", "maxmemory-policy", "noeviction"));
              assertEquals("OK", redis.ask("CONFIG", "SET", "maxmemory", "1"));
              Await.until("a node met the full store", () -> errors("OOM") > 0);
              Pause.millis(FAULT_MILLIS);
              assertTrue(redis.ask("SET", "any", "thing").startsWith("-OOM"));
              assertEquals("OK", redis.ask("CONFIG", "SET", "maxmemory", "0"));
            })
        .cutOff()
        .lostNothing();
  }

  /** The number of errors of a kind that it has answered since its start. */
  private long errors(String kind) {
    String begins = "errorstat_" + kind + ":count=";
    return redis
        .ask("INFO", "errorstats")
        .lines()
        .filter(each -> each.startsWith(begins))
        .mapToLong(each -> Long.parseLong(each.substring(begins.length()).strip()))
        .sum();
  }
}
