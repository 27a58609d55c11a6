package io.weir.test.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.annotation.Algorithm;
import io.weir.annotation.RateLimit;
import io.weir.compat.redis.Await;
import io.weir.compat.redis.RedisServer;
import io.weir.test.pages.MovingTable.Row;
import io.weir.testkit.FakeTicker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tries the second columns of docs/moving.md on a real Redis. Its clock can't be moved, so each row
 * is tried at one moment, beside the same in this process: the other tests try the rest.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MovingOnAStoreTest {
  private static final long NANOS = 1_000_000_000;

  /** A permit comes each six minutes, within which every test has ended. */
  private static final Policy POLICY =
      Policy.builder("api")
          .limit(10)
          .window(Duration.ofHours(1))
          .algorithm(Algorithm.TOKEN_BUCKET)
          .build();

  private final MovingTable table = MovingTable.ofAll();
  private MovingCode code;
  private Weir here;
  private Weir there;

  private static WeirBuilder inThisProcess(WeirBuilder builder) {
    return builder
        .onlyGivenSettings()
        .ticker(new FakeTicker())
        .requestCondition("changes", request -> true);
  }

  private static WeirBuilder onRedis(WeirBuilder builder) {
    return builder
        .ticker(Ticker.system())
        .requestCondition("changes", request -> true)
        .settings(
            Map.of(
                "weir.store",
                RedisServer.shared(),
                "weir.prefix",
                RedisServer.prefix(),
                "weir.secret",
                "of the tests",
                "weir.store.timeout",
                "10s"));
  }

  @BeforeAll
  void start(@TempDir Path folder) {
    code = table.compileOurs(folder, "Cells");
    here = inThisProcess(Weir.builder()).build();
    there = onRedis(Weir.builder().onlyGivenSettings()).build();
  }

  @AfterAll
  void stop() {
    here.close();
    there.close();
  }

  private Stream<DynamicTest> each(Predicate<Row> isMeant, MovingTable.Trial trial) {
    return table.rows().stream()
        .filter(isMeant)
        .map(row -> DynamicTest.dynamicTest(row.theirs(), () -> trial.run(row)));
  }

  @TestFactory
  Stream<DynamicTest> annotations() {
    return each(
        row -> row.ours().startsWith("@RateLimit"), row -> admitsTheSame(code.annotated(row)));
  }

  /** What a bucket has at once, and what came back or began anew meanwhile. */
  private void admitsTheSame(Class<?> annotated) {
    int expected = new AnnotatedEndpoint(annotated, here).admitted(Duration.ZERO).get(0);
    AnnotatedEndpoint shared = new AnnotatedEndpoint(annotated, there);
    long start = System.nanoTime();
    int admitted = shared.admitted(Duration.ZERO).get(0);
    long more = comesBack(annotated, System.nanoTime() - start);
    assertTrue(
        admitted >= expected && admitted <= expected + more,
        () -> admitted + " instead of " + expected + ", or " + more + " more");
  }

  /** Returns what the limits may give in a time, with the window of which it may see an edge. */
  private static long comesBack(Class<?> annotated, long nanos) {
    try {
      return Arrays.stream(annotated.getMethod("limited").getAnnotationsByType(RateLimit.class))
          .mapToLong(each -> comesBack(each, nanos))
          .max()
          .orElseThrow();
    } catch (NoSuchMethodException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static long comesBack(RateLimit limit, long nanos) {
    double windows =
        (double) nanos / NANOS / limit.unit().getDuration().toSeconds() / limit.window();
    boolean hasEdges =
        List.of(limit.algorithm()).contains(Algorithm.FIXED_WINDOW) || limit.refill() > 0;
    return hasEdges
        ? limit.limit() * (long) Math.ceil(windows)
        : (long) Math.floor(limit.limit() * windows);
  }

  /** What is charged is there once the node has told the store, which charging doesn't wait for. */
  @TestFactory
  Stream<DynamicTest> calls() {
    return each(
        row -> row.ours().startsWith("limiter."),
        row -> {
          Key key = Key.of("caller of row " + row.number());
          assertEquals(returned(row, here, key), returned(row, there, key));
          long left = here.limiter().peek(POLICY, key).remaining();
          Await.until(
              "as much is left", () -> there.limiter().peek(POLICY, key).remaining() == left);
        });
  }

  /** Runs a row's code after three permits were taken. */
  private Object returned(Row row, Weir weir, Key key) throws Exception {
    Decision before = weir.limiter().tryAcquire(POLICY, key, 3);
    return essence(code.run(row, weir.limiter(), POLICY, key, before));
  }

  private static Object essence(Object returned) {
    if (returned instanceof Decision decision) {
      return List.of(decision.admitted(), decision.permits(), decision.remaining());
    }
    return returned instanceof Duration wait ? wait.isZero() : String.valueOf(returned);
  }

  @TestFactory
  Stream<DynamicTest> settings() {
    return each(
        row -> row.ours().startsWith("weir.policy.api."), MovingOnAStoreTest::addsToWhatIsLeft);
  }

  private static void addsToWhatIsLeft(Row row) {
    try (Ours.Live live =
        new Ours.Live(row.ours(), Algorithm.FIXED_WINDOW, MovingOnAStoreTest::onRedis)) {
      live.take(10);
      live.change();
      long left = live.left();
      // more than ten only if a minute ended meanwhile
      assertTrue(left >= 10 && left <= 20, () -> left + " of 20, of which 10 were taken");
    }
  }
}
