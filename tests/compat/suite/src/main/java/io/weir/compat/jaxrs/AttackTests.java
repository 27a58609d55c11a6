package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.compat.attack.Cases;
import io.weir.compat.attack.Forgery;
import io.weir.compat.attack.Spelling;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.RawClient;
import io.weir.compat.jaxrs.server.RawClient.Answer;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests random attacks over sockets: every request that reaches a method is counted. */
interface AttackTests extends Serving {
  /** The limit of each caller. */
  int LIMIT = 5;

  /** Counts how often its methods are reached. */
  @Path("api")
  class Targets {
    final AtomicInteger many = new AtomicInteger();
    final AtomicInteger few = new AtomicInteger();
    final AtomicInteger keys = new AtomicInteger();

    @GET
    @Path("many")
    @RateLimit(
        limit = 1_000_000,
        window = 1,
        unit = ChronoUnit.HOURS,
        by = By.ENDPOINT,
        name = "many")
    public String many() {
      return "" + many.incrementAndGet();
    }

    @POST
    @Path("many")
    @RateLimit(
        limit = 1_000_000,
        window = 1,
        unit = ChronoUnit.HOURS,
        by = By.ENDPOINT,
        name = "many")
    public String post() {
      return "" + many.incrementAndGet();
    }

    @GET
    @Path("many/{id: .*}")
    @RateLimit(
        limit = 1_000_000,
        window = 1,
        unit = ChronoUnit.HOURS,
        by = By.ENDPOINT,
        name = "many")
    public String below(@PathParam("id") String id) {
      return "" + many.incrementAndGet();
    }

    @GET
    @Path("few")
    @RateLimit(limit = LIMIT, window = 1, unit = ChronoUnit.HOURS)
    public String few() {
      return "" + few.incrementAndGet();
    }

    @GET
    @Path("keys")
    @RateLimit(
        limit = LIMIT,
        window = 1,
        unit = ChronoUnit.HOURS,
        by = By.KEY,
        key = "header:X-Api-Key",
        name = "keys")
    public String keys() {
      return "" + keys.incrementAndGet();
    }
  }

  private static Optional<Answer> attack(Api api, Random random, String path) throws Exception {
    String method =
        Cases.one(random, "GET", "GET", "HEAD", "POST", "OPTIONS", "PUT", "get", "BREW");
    List<String> head = Forgery.fields(random);
    head.add(0, method + " " + Spelling.of(random, path) + " HTTP/1.1");
    if (!method.equalsIgnoreCase("GET")) {
      head.add("Content-Length: 0");
    }
    return RawClient.send(api.base(), head.toArray(String[]::new));
  }

  @Test
  default void whateverReachesAMethodIsCountedOnce() throws Exception {
    Targets targets = new Targets();
    Api api = serving().with(targets).start();
    Cases.times(300, this, "other spellings", random -> attack(api, random, "/api/many"));
    int reached = targets.many.get();
    assertTrue(reached >= 30, "only " + reached + " reached a method");
    assertEquals(1_000_000 - reached - 1, Api.left(api.get("/api/many")));
  }

  @Test
  default void oneCallerGetsHisLimit() throws Exception {
    Targets targets = new Targets();
    Api api = serving().with(targets).start();
    Cases.times(150, this, "forged headers", random -> attack(api, random, "/api/few"));
    assertEquals(LIMIT, targets.few.get());
  }

  @Test
  default void behindAProxyEachCallerHasHisLimitAndNoMore() throws Exception {
    Targets targets = new Targets();
    Api api = serving().behindProxy().with(targets).start();
    Cases.times(
        25,
        this,
        "callers behind a proxy",
        random -> {
          int reached = targets.few.get();
          int ipv4 = random.nextInt() | 0x40000000; // not one that is trusted
          String network =
              String.format(Locale.ROOT, "2001:db8:%x:%x", random.nextInt(65_536), reached);
          boolean six = random.nextBoolean();
          for (int i = 0; i < 2 * LIMIT; i++) {
            String seen = six ? Forgery.rotated(random, network) : Forgery.spelled(random, ipv4);
            String forged = Cases.one(random, "", "1.2.3.4, ", "127.0.0.1,", "\", ", "unknown,");
            String field = "X-Forwarded-For: " + forged + seen;
            RawClient.send(api.base(), "GET /api/few HTTP/1.1", "X-Real-IP: 1.1.1." + i, field);
          }
          assertEquals(LIMIT, targets.few.get() - reached);
        });
  }

  @Test
  default void noTwoKeysShareABucketAndNoneHasTwo() throws Exception {
    String[] shards = {
      "a", "A", "b", ":", "{", "}", ",", ";", "=", "\"", "\\", "%41", "a9:", "k1:a"
    };
    Targets targets = new Targets();
    Api api = serving().with(targets).start();
    Map<String, Integer> admitted = new HashMap<>();
    Map<String, Integer> sent = new HashMap<>();
    Cases.times(
        300,
        this,
        "other keys",
        random -> {
          String key = Cases.one(random, shards) + Cases.one(random, "", Cases.one(random, shards));
          int reached = targets.keys.get();
          String field = "X-Api-Key:" + Cases.one(random, "", " ", "\t ") + key;
          RawClient.send(api.base(), "GET /api/keys HTTP/1.1", field);
          sent.merge(key, 1, Integer::sum);
          admitted.merge(key, targets.keys.get() - reached, Integer::sum);
          assertEquals(Math.min(LIMIT, sent.getOrDefault(key, 0)), admitted.get(key), key);
        });
  }
}
