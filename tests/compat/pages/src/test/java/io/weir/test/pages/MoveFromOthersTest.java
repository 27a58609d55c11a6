package io.weir.test.pages;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.WeirBuilder;
import io.weir.annotation.Algorithm;
import io.weir.annotation.RateLimit;
import io.weir.compat.redis.RedisServer;
import io.weir.spi.CallerTier;
import io.weir.test.pages.MovingTable.Row;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tries what Weir does with each row of docs/moving.md about limiters that aren't run here. What is
 * expected is what their manuals say that they do, apart from what the third column names.
 */
class MoveFromOthersTest {
  private static final Policy POLICY =
      Policy.builder("api").limit(10).window(ofMinutes(1)).algorithm(Algorithm.SLIDING_LOG).build();
  private static final Key KEY = Key.user("alice");

  @TempDir private Path folder;
  private MovingCode ours;

  /** An endpoint for settings. */
  public static final class Limited {
    /** Five a minute. */
    @RateLimit(limit = 5, window = 60)
    public void limited() {}
  }

  private MovingTable below(String heading) {
    MovingTable table = MovingTable.below(heading);
    ours = table.compileOurs(folder, "Cells");
    return table;
  }

  @TestFactory
  Stream<DynamicTest> bucket4jSpringBootStarter() {
    String bandwidth = "capacity: 20, time: 1, unit: minutes";
    Duration[] pauses = {ZERO, ofSeconds(30), ofSeconds(30)};
    return below("bucket4j-spring-boot-starter")
        .row(bandwidth, row -> admits(row, List.of(20, 10, 10), pauses))
        .row(bandwidth + ", refill-speed: interval", row -> admits(row, List.of(20, 0, 20), pauses))
        .row("refill-capacity: 5", row -> admits(row, List.of(20, 0, 5), pauses))
        .row("getRemoteAddr", row -> countsAddressesApart(row, 20))
        .row("getHeader", row -> countsKeysApart(row, "X-Api-Key", 20))
        .row("@users.name()", row -> countsUsersApart(row, 20))
        .row("execute-condition", this::countsChangesAlone)
        .row("bandwidths", row -> admits(row, List.of(5, 5, 5, 5, 0), every(5, ofSeconds(2))))
        .notRun("http-response-body")
        .row("hide-http-response-headers", this::hasNoFields)
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> redisson() {
    Duration[] pauses = {ZERO, ofSeconds(59), ofSeconds(2)};
    return below("Redisson")
        .row("RateType.OVERALL, 10", row -> admits(row, List.of(10, 0, 10), pauses))
        .row("RateType.PER_CLIENT", row -> admits(row, List.of(10, 0, 10), pauses))
        .row("getRateLimiter", row -> countsUsersApart(row, 10))
        .row("limiter.tryAcquire(3)", this::acquire)
        .row("availablePermits", row -> assertEquals(10L, run(row, 0)))
        .row("limiter.acquire()", row -> assertEquals(ofMinutes(1), run(row, 10)))
        .row("setRate(RateType.OVERALL, 20", this::change)
        .row("release", this::refund)
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> sentinel() {
    return below("Sentinel")
        .row("FLOW_GRADE_QPS", row -> admits(row, List.of(10, 10), ZERO, ofSeconds(2)))
        .row(
            "RATE_LIMITER", row -> admits(row, List.of(1, 1, 0), ZERO, ofMillis(100), ofMillis(50)))
        .notRun("WARM_UP")
        .row("setLimitApp", row -> countsKeysApart(row, "S-user", 10))
        .row("ParamFlowRule", this::countsValuesApart)
        .notRun("FLOW_GRADE_THREAD")
        .notRun("blockHandler")
        .notRun("token server")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> rackAttack() {
    return below("rack-attack")
        .row("throttle('ip'", row -> admits(row, List.of(5, 0, 5), every(3, ofSeconds(30))))
        .row("throttle('key'", row -> countsKeysApart(row, "X-Api-Key", 5))
        .row("premium", this::tiers)
        .row("Fail2Ban", this::keepsOutWhoeverGoesOn)
        .row("Allow2Ban", this::bansWhoeverFails)
        .row("safelist('us')", this::countsChangesAlone)
        .notRun("blocklist_ip")
        .notRun("throttled_responder")
        .notRun("RedisCacheStore")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> nginx() {
    Duration[] pauses = {ZERO, ofSeconds(1), ofSeconds(10)};
    return below("nginx")
        .row(
            "limit_req_zone $binary_remote_addr",
            row -> admits(row, List.of(1, 1, 0), ZERO, ofMillis(100), ofMillis(50)))
        .row("limit_req zone=a burst=20 nodelay;", row -> admits(row, List.of(21, 10, 21), pauses))
        .row("limit_req zone=a burst=20;", row -> admits(row, List.of(21, 10, 21), pauses))
        .row("rate=30r/m", row -> admits(row, List.of(1, 0, 1), every(3, ofSeconds(1))))
        .row("$http_x_api_key", row -> countsKeysApart(row, "X-Api-Key", 1))
        .row("limit_req", row -> admits(row, List.of(1, 1), ZERO, ofMillis(100)))
        .row("limit_req_dry_run", row -> admits(row, List.of(AnnotatedEndpoint.TRIES), ZERO))
        .notRun("limit_req_status")
        .notRun("limit_conn")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> kong() {
    return below("Kong")
        .row("minute: 5, limit_by: ip", row -> admits(row, List.of(5, 5), ZERO, ofMinutes(1)))
        .row("second: 5", row -> admits(row, List.of(5, 5, 0), every(3, ofSeconds(1))))
        .row("month: 1000", row -> countsUsersApart(row, 1_000))
        .row("header_name", row -> countsKeysApart(row, "X-Api-Key", 5))
        .row("limit_by: service", this::countsAllTogether)
        .row("fault_tolerant: true", row -> answersWithoutStore(row, 200))
        .row("fault_tolerant: false", row -> answersWithoutStore(row, 503))
        .notRun("policy: local")
        .notRun("policy: redis")
        .row("hide_client_headers", this::hasNoFields)
        .notRun("error_code")
        .tests();
  }

  @TestFactory
  Stream<DynamicTest> traefik() {
    return below("Traefik")
        .row("average: 10, burst: 20", row -> admits(row, List.of(20, 10), ZERO, ofSeconds(1)))
        .row("period: 1m", row -> admits(row, List.of(2, 1), ZERO, ofSeconds(10)))
        .row("average: 10", row -> admits(row, List.of(1, 1), ZERO, ofMillis(100)))
        .row("average: 0", row -> admits(row, List.of(AnnotatedEndpoint.TRIES), ZERO))
        .row("requestHeaderName", row -> countsKeysApart(row, "X-Api-Key", 10))
        .row("requestHost", row -> countsKeysApart(row, "Host", 10))
        .row("ipStrategy", this::isASetting)
        .notRun("redis: ")
        .tests();
  }

  private static Duration[] every(int times, Duration pause) {
    Duration[] pauses = new Duration[times];
    java.util.Arrays.fill(pauses, pause);
    pauses[0] = ZERO;
    return pauses;
  }

  private AnnotatedEndpoint endpoint(Row row) throws Exception {
    return endpoint(row, builder -> builder);
  }

  private AnnotatedEndpoint endpoint(Row row, UnaryOperator<WeirBuilder> parts) throws Exception {
    return new AnnotatedEndpoint(
        ours.annotated(row),
        builder ->
            parts.apply(
                builder.requestCondition("changes", request -> !request.method().equals("GET"))));
  }

  private void admits(Row row, List<Integer> expected, Duration... pauses) throws Exception {
    try (AnnotatedEndpoint endpoint = endpoint(row)) {
      assertEquals(expected, endpoint.admitted(pauses));
    }
  }

  private static FakeRequest request() {
    return FakeRequest.from("192.0.2.1");
  }

  private void countsAddressesApart(Row row, int limit) throws Exception {
    try (AnnotatedEndpoint endpoint = endpoint(row)) {
      for (String address : List.of("192.0.2.1", "192.0.2.2")) {
        assertEquals(limit, endpoint.admitted(limit + 1, () -> FakeRequest.from(address)));
      }
    }
  }

  private void countsKeysApart(Row row, String header, int limit) throws Exception {
    try (AnnotatedEndpoint endpoint = endpoint(row)) {
      for (String key : List.of("one", "two")) {
        assertEquals(limit, endpoint.admitted(limit + 1, () -> request().header(header, key)));
      }
      assertTrue(endpoint.admits(), "without a key by address");
    }
  }

  private void countsUsersApart(Row row, int limit) throws Exception {
    try (AnnotatedEndpoint endpoint = endpoint(row)) {
      for (String user : List.of("alice", "bob")) {
        assertEquals(limit, endpoint.admitted(limit + 1, () -> request().user(user)));
      }
    }
  }

  private void countsValuesApart(Row row) throws Exception {
    try (AnnotatedEndpoint endpoint = endpoint(row)) {
      for (String value : List.of("tea", "coffee")) {
        assertEquals(5, endpoint.admitted(6, () -> request().query("q", value)));
      }
    }
  }

  private void countsAllTogether(Row row) throws Exception {
    try (AnnotatedEndpoint endpoint = endpoint(row)) {
      assertEquals(5, endpoint.admitted(6, MoveFromOthersTest::request));
      assertFalse(endpoint.send(FakeRequest.from("192.0.2.2")).isAdmitted());
    }
  }

  private void countsChangesAlone(Row row) throws Exception {
    try (AnnotatedEndpoint endpoint = endpoint(row)) {
      assertEquals(60, endpoint.admitted(60, MoveFromOthersTest::request));
      int admitted = endpoint.admitted(60, () -> request().method("POST"));
      assertTrue(admitted == 5 || admitted == 20, () -> "not the limit: " + admitted);
    }
  }

  private void tiers(Row row) throws Exception {
    UnaryOperator<WeirBuilder> plans =
        builder ->
            builder.tierResolver(
                (request, policy) ->
                    request.headers("X-Plan").isEmpty()
                        ? CallerTier.none()
                        : CallerTier.named("premium"));
    try (AnnotatedEndpoint endpoint = endpoint(row, plans)) {
      assertEquals(5, endpoint.admitted(60, MoveFromOthersTest::request));
      assertEquals(45, endpoint.admitted(60, () -> request().header("X-Plan", "premium")));
    }
  }

  private void keepsOutWhoeverGoesOn(Row row) throws Exception {
    try (AnnotatedEndpoint endpoint = endpoint(row)) {
      for (int i = 0; i < 3; i++) {
        assertTrue(endpoint.send(request(), 401).isAdmitted());
      }
      for (int i = 0; i < 3; i++) {
        endpoint.advance(ofMinutes(9));
        assertFalse(endpoint.send(request(), 401).isAdmitted());
      }
      endpoint.advance(ofMinutes(11));
      assertTrue(endpoint.send(request(), 401).isAdmitted());
    }
  }

  private void bansWhoeverFails(Row row) throws Exception {
    try (AnnotatedEndpoint endpoint = endpoint(row)) {
      for (int i = 0; i < 3; i++) {
        assertTrue(endpoint.send(request(), 401).isAdmitted());
      }
      endpoint.advance(ofMinutes(59));
      assertFalse(endpoint.send(request(), 200).isAdmitted());
      endpoint.advance(ofMinutes(2));
      assertTrue(endpoint.send(request(), 200).isAdmitted());
    }
  }

  private void answersWithoutStore(Row row, int status) throws Exception {
    Map<String, String> away =
        Map.of(
            "weir.store",
            "redis://127.0.0.1:" + RedisServer.freePort(),
            "weir.store.start-timeout",
            "1ms");
    try (AnnotatedEndpoint endpoint = endpoint(row, builder -> builder.settings(away))) {
      assertEquals(status, endpoint.send(request()).status());
    }
  }

  private static Map<String, String> setting(Row row) {
    String[] parts = row.ours().split("=", 2);
    return Map.of(parts[0], parts[1]);
  }

  private void hasNoFields(Row row) {
    Map<String, String> setting = setting(row);
    try (AnnotatedEndpoint endpoint =
        new AnnotatedEndpoint(Limited.class, builder -> builder.settings(setting))) {
      assertEquals(5, endpoint.admitted(6, MoveFromOthersTest::request));
      assertEquals(List.of("Retry-After"), List.copyOf(endpoint.send(request()).fields().keySet()));
    }
  }

  /** A name or value that Weir doesn't know stops the start. */
  private void isASetting(Row row) {
    Map<String, String> setting = setting(row);
    try (AnnotatedEndpoint endpoint =
        new AnnotatedEndpoint(Limited.class, builder -> builder.settings(setting))) {
      assertTrue(endpoint.admits());
    }
  }

  /** Runs a row's code once a number of permits is taken. */
  private Object run(Row row, int taken) throws Exception {
    try (RateLimiter limiter = RateLimiter.builder().ticker(new FakeTicker()).build()) {
      if (taken > 0) {
        assertTrue(limiter.tryAcquire(POLICY, KEY, taken).admitted());
      }
      return ours.run(row, limiter, POLICY, KEY, null);
    }
  }

  private void acquire(Row row) throws Exception {
    assertEquals(true, run(row, 7));
    assertEquals(false, run(row, 8));
  }

  private void refund(Row row) throws Exception {
    try (RateLimiter limiter = RateLimiter.builder().ticker(new FakeTicker()).build()) {
      Decision decision = limiter.tryAcquire(POLICY, KEY, 1);
      ours.run(row, limiter, POLICY, KEY, decision);
      assertEquals(10, limiter.peek(POLICY, KEY).remaining());
    }
  }

  private void change(Row row) {
    try (Ours.Live live = new Ours.Live(row.ours(), Algorithm.FIXED_WINDOW)) {
      live.take(10);
      live.change();
      assertEquals(10, live.left());
      live.advance(ofHours(1));
      assertEquals(20, live.left());
    }
  }
}
