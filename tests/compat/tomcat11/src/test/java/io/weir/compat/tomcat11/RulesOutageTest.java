package io.weir.compat.tomcat11;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.compat.jaxrs.server.Await;
import io.weir.compat.postgres.PostgresServer;
import io.weir.compat.servlet.RuleServlets;
import io.weir.compat.servlet.ServletServer;
import io.weir.compat.servlet.TomcatServer;
import io.weir.rules.Rule;
import io.weir.rules.Rules;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.rules.tier.UserTier;
import io.weir.seeds.OneDayIn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests HTTP requests while PostgreSQL freezes, is killed and comes back. */
@OneDayIn(2)
class RulesOutageTest implements TomcatServer {
  /** Far more requests than could each wait two seconds. */
  private static final int STRANGERS = 100;

  private static final Duration SOON = Duration.ofSeconds(60);

  /** Enough for each phase of an outage to meet many requests. */
  private static final long BETWEEN_REQUESTS_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static PostgresServer postgres;

  private final String url = postgres.newDatabase();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Map<Integer, AtomicInteger> statuses = new ConcurrentSkipListMap<>();
  private final List<Thread> load = new ArrayList<>();
  private volatile boolean stopped;
  private Weir weir;
  private ServletServer.Running server;

  @BeforeAll
  static void startPostgres() {
    postgres = PostgresServer.start();
  }

  @AfterAll
  static void closePostgres() {
    postgres.close();
  }

  private void start() throws Exception {
    Map<String, String> settings = new TreeMap<>();
    settings.put("weir.rules", url);
    settings.put("weir.rules.timeout", "2s");
    settings.put("weir.store.timeout", "10s");
    weir = Weir.builder().settings(settings).build();
    server = RuleServlets.start(this, weir);
  }

  @AfterEach
  void stop() throws Exception {
    stopped = true;
    for (Thread each : load) {
      each.join();
    }
    server.stop().close();
    weir.close();
  }

  private Rules rules() {
    return Rules.of(weir).orElseThrow();
  }

  private HttpResponse<Void> get(String user) {
    URI uri = URI.create("http://127.0.0.1:" + server.port() + CONTEXT + "/api/posts");
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(SOON).header("User", user).build();
    try {
      HttpResponse<Void> response = client.send(request, HttpResponse.BodyHandlers.discarding());
      statuses.computeIfAbsent(response.statusCode(), any -> new AtomicInteger()).incrementAndGet();
      return response;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  private String limit(String user) {
    return get(user).headers().firstValue("X-RateLimit-Limit").orElse("none");
  }

  private void fill() {
    rules().rules().save(Rule.builder("free", "/api/*").limit(1_000_000).build(), "test");
    rules().rules().save(Rule.builder("gold", "/api/*").limit(2_000_000).build(), "test");
    rules().users().save(UserTier.of("alice", "gold"), "test");
    rules().users().save(UserTier.of("late", "gold"), "test");
  }

  private void startLoad() {
    for (int i = 0; i < 2; i++) {
      Thread thread =
          new Thread(
              () -> {
                while (!stopped) {
                  assertEquals("2000000", limit("alice"));
                  LockSupport.parkNanos(BETWEEN_REQUESTS_NANOS);
                }
              });
      thread.setUncaughtExceptionHandler(
          (any, failure) -> {
            failure.printStackTrace();
            statuses.computeIfAbsent(-1, none -> new AtomicInteger()).incrementAndGet();
          });
      load.add(thread);
      thread.start();
    }
  }

  /** Unknown callers wait for a look-up or two; from then on none waits. */
  private void strangersAreFreeAndNeverWaitForLong(String when) {
    assertTimeoutPreemptively(
        SOON,
        () -> {
          for (int i = 0; i < STRANGERS; i++) {
            assertEquals("1000000", limit(when + i));
          }
        });
  }

  private void assertNo5xx() {
    assertEquals(List.of(200), List.copyOf(statuses.keySet()), statuses::toString);
  }

  @Test
  void frozenKilledAndRestartedUnderLoadThereIsNo5xxAndRulesStayAsTheyWere() throws Exception {
    start();
    fill();
    Await.until(() -> limit("alice").equals("2000000"));
    startLoad();

    postgres.freeze();
    strangersAreFreeAndNeverWaitForLong("frozen");
    assertEquals("1000000", limit("late"), "whose row can't be read");
    postgres.thaw();
    Await.until(() -> limit("late").equals("2000000"));

    postgres.kill();
    strangersAreFreeAndNeverWaitForLong("killed");
    postgres.restart();
    Await.until(this::isBack);
    stopped = true;
    for (Thread each : load) {
      each.join();
    }
    Rule gold = gold();
    rules().rules().save(gold.toBuilder().limit(3_000_000).build(), "test");
    Await.until(() -> limit("alice").equals("3000000"));
    assertNo5xx();
    System.out.println("requests by status: " + statuses);
  }

  private Rule gold() {
    return rules().rules().all().stream()
        .filter(each -> each.tier().equals("gold"))
        .findFirst()
        .orElseThrow();
  }

  private boolean isBack() {
    try {
      gold();
      return true;
    } catch (RulesUnavailableException away) {
      return false;
    }
  }

  @Test
  void aStartWithoutTheDatabaseServesAndFindsItLater() throws Exception {
    start();
    fill();
    server.stop().close();
    weir.close();
    postgres.stop();
    start();
    assertEquals("none", limit("alice"), "annotations alone");
    assertTimeoutPreemptively(SOON, () -> assertEquals("none", limit("bob")));
    postgres.restart();
    Await.until(() -> limit("alice").equals("2000000"));
    assertTrue(limit("bob").equals("1000000"));
    assertNo5xx();
  }
}
