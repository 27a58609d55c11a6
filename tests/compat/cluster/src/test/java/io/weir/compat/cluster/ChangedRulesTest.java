package io.weir.compat.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.compat.redis.Await;
import io.weir.compat.redis.RedisServer;
import io.weir.rules.Rule;
import io.weir.rules.RuleWindow;
import io.weir.rules.Rules;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.Seeds;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rules of one database change while three nodes on one Redis are under load. Prints how long each
 * change took until it held on all of them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@OneDayIn(2)
class ChangedRulesTest {
  /** Whose edges are seldom met. */
  private static final int YEAR_SECONDS = 366 * 24 * 3_600;

  /** Long enough that every node has met what holds now. */
  private static final int ROUNDS = Seeds.deep() ? 300 : 100;

  /** The first limit: as many requests are made, and for the raised one three times as many. */
  private static final int LIMIT = Seeds.deep() ? 300 : 60;

  private static final int RAISED = 3 * LIMIT;
  private static final int LOWERED = LIMIT / 6;
  private static final int FASTER = Seeds.deep() ? 200 : 60;

  /** Between two requests of a thread, so that the load leaves room for what it waits for. */
  private static final Duration PAUSE = Duration.ofMillis(Seeds.deep() ? 5 : 25);

  @TempDir private static Path directory;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final AtomicInteger admitted = new AtomicInteger();
  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final List<Thread> load = new ArrayList<>();
  private volatile boolean stopped;
  private Connection open;
  private Rules rules;
  private Nodes nodes;
  private List<Integer> ports = List.of();

  @BeforeAll
  void start() throws Exception {
    JdbcDataSource database = new JdbcDataSource();
    String url = "jdbc:h2:file:" + directory.resolve("rules") + ";AUTO_SERVER=TRUE";
    database.setURL(url);
    database.setUser("sa");
    open = database.getConnection(); // or H2 would close the file between two connections
    rules = Rules.builder(database).build();
    Map<String, String> settings = new TreeMap<>();
    settings.put("weir.prefix", RedisServer.prefix());
    settings.put("weir.store.nodes", "" + Nodes.COUNT);
    settings.put("weir.store.timeout", "10s"); // a busy machine is no outage
    settings.put("weir.rules", url + ";USER=sa");
    settings.put("weir.rules.timeout", "10s");
    nodes = Nodes.on(RedisServer.shared(), settings);
    ports = nodes.serve();
  }

  @AfterAll
  void end() throws Exception {
    endLoad();
    nodes.close();
    rules.close();
    open.close();
  }

  /** Sends a request, and counts it if a rule admitted it. */
  private HttpResponse<Void> get(int port, String page) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + port + "/rules/" + page);
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(Duration.ofMinutes(2)).build();
    HttpResponse<Void> response = client.send(request, BodyHandlers.discarding());
    boolean isRuled = response.headers().firstValue("RateLimit-Policy").isPresent();
    admitted.addAndGet(isRuled && response.statusCode() == 200 ? 1 : 0);
    return response;
  }

  /** Two threads for each node. */
  private void startLoad(String page) {
    stopped = false;
    for (int port : ports) {
      for (int i = 0; i < 2; i++) {
        Thread thread = new Thread(() -> load(port, page));
        load.add(thread);
        thread.start();
      }
    }
  }

  private void load(int port, String page) {
    while (!stopped) {
      try {
        int status = get(port, page).statusCode();
        failed.addAndGet(status == 200 || status == 429 ? 0 : 1);
      } catch (IOException broken) {
        failed.incrementAndGet();
      } catch (InterruptedException interrupted) {
        return;
      }
      sent.incrementAndGet();
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private void endLoad() throws InterruptedException {
    stopped = true;
    for (Thread each : load) {
      each.join();
    }
    load.clear();
    assertEquals(0, failed.get(), "neither admitted nor refused");
  }

  private void awaitRounds() {
    int enough = sent.get() + ROUNDS;
    Await.until("requests", () -> sent.get() > enough);
  }

  /** Saves a rule, and waits until each node reports its limit. */
  private Rule change(Rule rule, String page, String what) {
    Rule saved = rules.rules().save(rule, "the test");
    long start = System.nanoTime();
    List<String> took = new ArrayList<>();
    for (int port : ports) {
      Await.until(
          what + " on all nodes", () -> told(port, page).contains(";q=" + rule.limit() + ";"));
      took.add((System.nanoTime() - start) / 1_000_000 + " ms");
    }
    System.out.printf(Locale.ROOT, "%s, held after %s%n", what, String.join(", ", took));
    return saved;
  }

  private String told(int port, String page) {
    try {
      return get(port, page).headers().firstValue("RateLimit-Policy").orElse("");
    } catch (IOException broken) {
      throw new AssertionError(broken);
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  private static Rule rule(String page, Algorithm algorithm, long limit, int seconds) {
    return Rule.builder("free", "/rules/" + page)
        .name(page)
        .algorithm(algorithm)
        .countBy(List.of("ENDPOINT"))
        .window(RuleWindow.ofSeconds(seconds))
        .limit(limit)
        .build();
  }

  @ParameterizedTest
  @EnumSource(value = Algorithm.class, mode = EnumSource.Mode.EXCLUDE, names = "LEAKY_BUCKET")
  void threeNodesAdmitWhatTheRaisedLimitSaysAndNoMoreAfterItIsLowered(Algorithm algorithm)
      throws Exception {
    String page = algorithm.name().toLowerCase(Locale.ROOT);
    admitted.set(0);
    Rule rule = change(rule(page, algorithm, LIMIT, YEAR_SECONDS), page, page + " at first");
    startLoad(page);
    awaitAdmitted(algorithm, LIMIT);
    rule = change(rule.toBuilder().limit(RAISED).build(), page, page + " raised");
    awaitAdmitted(algorithm, RAISED);
    change(rule.toBuilder().limit(LOWERED).build(), page, page + " lowered");
    int before = admitted.get();
    awaitRounds();
    endLoad();
    assertTrue(admitted.get() - before <= comesBack(algorithm), "lowered, and more were admitted");
    System.out.println(page + ": admitted " + admitted);
  }

  /** Until the limit is used, and some more are refused. */
  private void awaitAdmitted(Algorithm algorithm, int limit) {
    Await.until(limit + " are used", () -> admitted.get() >= least(algorithm, limit));
    awaitRounds();
    assertTrue(admitted.get() <= limit + comesBack(algorithm), admitted + " of " + limit);
  }

  /** A bucket of tokens that was full may lose what comes in during two of its sixty slots. */
  private static int least(Algorithm algorithm, int limit) {
    return algorithm == Algorithm.TOKEN_BUCKET ? limit - limit / 30 - 1 : limit;
  }

  /** More than the permits that come in while the test runs. */
  private static int comesBack(Algorithm algorithm) {
    return algorithm == Algorithm.TOKEN_BUCKET ? RAISED / 20 : 0;
  }

  /** It has no stock: what shows is its pace. */
  @Test
  void threeNodesTakeTheRaisedAndTheLoweredPaceOfALeakyBucket() throws Exception {
    admitted.set(0);
    Rule rule = change(rule("leaky", Algorithm.LEAKY_BUCKET, 60, 60), "leaky", "leaky at first");
    startLoad("leaky");
    Await.until("the first", () -> admitted.get() >= 3);
    rule = change(rule.toBuilder().limit(3_000).build(), "leaky", "leaky raised");
    int before = admitted.get();
    Await.until("fifty times the pace", () -> admitted.get() - before >= FASTER);
    change(rule.toBuilder().limit(6).build(), "leaky", "leaky lowered");
    int after = admitted.get();
    long lowered = Pause.now();
    awaitRounds();
    endLoad();
    long most = 5 + (Pause.now() - lowered) / 10_000_000_000L;
    int late = admitted.get() - after;
    assertTrue(late <= most, "one in ten seconds, not " + late);
  }
}
