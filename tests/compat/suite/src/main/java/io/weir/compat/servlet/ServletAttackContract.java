package io.weir.compat.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.compat.attack.Cases;
import io.weir.compat.attack.Forgery;
import io.weir.compat.attack.Spelling;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests random attacks over sockets: every request that reaches a servlet is counted. */
public interface ServletAttackContract extends ServletServer {
  /** The limit of each caller. */
  int LIMIT = 5;

  /** Has a limit of five per hour for each address. */
  final class ByAddress extends CountingServlet {
    @Override
    @RateLimit(limit = LIMIT, window = 1, unit = ChronoUnit.HOURS, name = "address")
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** Has a limit of five per hour for each API key. */
  final class ByKey extends CountingServlet {
    @Override
    @RateLimit(
        limit = LIMIT,
        window = 1,
        unit = ChronoUnit.HOURS,
        by = By.KEY,
        key = "header:X-Api-Key",
        name = "key")
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  @Test
  default void whateverReachesTheServletIsCountedOnce() throws Exception {
    Spelled servlet = new Spelled();
    try (ServletApp app = mapped(servlet).start()) {
      Cases.times(
          300,
          this,
          "other spellings",
          random -> {
            int reached = servlet.reached();
            long used = used(app);
            Answer answer = attack(app, random, "127.0.0.1");
            assertEquals(servlet.reached() - reached, used(app) - used, answer::toString);
            assertTrue(answer.status() < 500 || answer.status() == 501, answer::toString);
          });
      assertTrue(servlet.reached() >= 30, "only " + servlet.reached() + " reached the servlet");
    }
  }

  private static long used(ServletApp app) {
    long left =
        app.weir().limiter().peek(ServletSpellingsContract.POLICY, Key.everybody()).remaining();
    return ServletSpellingsContract.POLICY.limit() - left;
  }

  @Test
  default void oneCallerGetsHisLimitAndHisNeighbourHasHis() throws Exception {
    ByAddress servlet = new ByAddress();
    try (ServletApp app = mapped(servlet).start()) {
      Cases.times(150, this, "forged headers", random -> attack(app, random, "127.0.0.1"));
      assertEquals(LIMIT, servlet.reached());
      for (int i = 0; i < 2 * LIMIT; i++) {
        app.sendFrom("127.0.0.2", "GET", "/api/hello");
      }
      assertEquals(2 * LIMIT, servlet.reached());
    }
  }

  private static Answer attack(ServletApp app, Random random, String from) {
    String method =
        Cases.one(random, "GET", "GET", "HEAD", "POST", "OPTIONS", "PUT", "get", "BREW");
    String target = Spelling.of(random, Cases.one(random, "/app/api/hello", "/app/api/items/1"));
    List<String> fields = Forgery.fields(random);
    if (!method.equalsIgnoreCase("GET")) {
      fields.add("Content-Length: 0");
    }
    return app.raw(from, method, target, fields.toArray(String[]::new));
  }

  @Test
  default void behindAProxyEachCallerHasHisLimitAndNoMore() throws Exception {
    ByAddress servlet = new ByAddress();
    ServletAppBuilder builder = mapped(servlet).setting("weir.proxy.trusted", "127.0.0.1");
    try (ServletApp app = builder.start()) {
      Cases.times(
          25,
          this,
          "callers behind a proxy",
          random -> {
            int reached = servlet.reached();
            int ipv4 = random.nextInt() | 0x40000000; // not one that is trusted
            String network =
                String.format(Locale.ROOT, "2001:db8:%x:%x", random.nextInt(65_536), reached);
            boolean six = random.nextBoolean();
            for (int i = 0; i < 2 * LIMIT; i++) {
              String seen = six ? Forgery.rotated(random, network) : Forgery.spelled(random, ipv4);
              String forged = Cases.one(random, "", "1.2.3.4, ", "127.0.0.1,", "\", ", "unknown,");
              app.get("/api/hello", "X-Real-IP: 1.1.1." + i, "X-Forwarded-For: " + forged + seen);
            }
            assertEquals(LIMIT, servlet.reached() - reached);
          });
    }
  }

  @Test
  default void noTwoKeysShareABucketAndNoneHasTwo() throws Exception {
    ByKey servlet = new ByKey();
    String[] shards = {
      "a", "A", "b", ":", "{", "}", ",", ";", "=", "\"", "\\", "%41", "a9:", "\u00e9", "\u00c9",
      "k1:a"
    };
    try (ServletApp app = mapped(servlet).start()) {
      Map<String, Integer> admitted = new HashMap<>();
      Map<String, Integer> sent = new HashMap<>();
      Cases.times(
          300,
          this,
          "other keys",
          random -> {
            String key =
                Cases.one(random, shards) + Cases.one(random, "", Cases.one(random, shards));
            int reached = servlet.reached();
            app.get("/api/hello", "X-Api-Key:" + Cases.one(random, "", " ", "\t ") + key);
            sent.merge(key, 1, Integer::sum);
            admitted.merge(key, servlet.reached() - reached, Integer::sum);
            assertEquals(Math.min(LIMIT, sent.getOrDefault(key, 0)), admitted.get(key), key);
          });
    }
  }

  private ServletAppBuilder mapped(CountingServlet servlet) {
    return ServletApp.on(this).servlet("/api/hello", servlet).servlet("/api/items/*", servlet);
  }
}
