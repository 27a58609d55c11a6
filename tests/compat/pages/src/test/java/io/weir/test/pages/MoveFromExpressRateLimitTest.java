package io.weir.test.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.WeirBuilder;
import io.weir.annotation.RateLimit;
import io.weir.spi.CallerTier;
import io.weir.test.pages.MovingTable.Row;
import io.weir.testkit.FakeRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Tries each row of docs/moving.md about express-rate-limit, which runs on Node. */
class MoveFromExpressRateLimitTest {
  @TempDir private Path folder;
  private MovingCode ours;
  private ExpressRateLimit theirs;

  /** Three requests a minute. */
  public static final class Three {
    /** The endpoint. */
    @RateLimit(limit = 3, window = 60)
    public void limited() {}
  }

  /** One request a minute. */
  public static final class One {
    /** The endpoint. */
    @RateLimit(limit = 1, window = 60)
    public void limited() {}
  }

  @TestFactory
  Stream<DynamicTest> eachRow() throws Exception {
    MovingTable table = MovingTable.below("express-rate-limit");
    ours = table.compileOurs(folder, "Cells");
    theirs = new ExpressRateLimit(table.rows().stream().map(Row::theirs).toList());
    return table
        .row("windowMs", this::windows)
        .row("keyGenerator", this::keys)
        .row("premium", this::tiers)
        .row("skip: ", this::condition)
        .row("skipSuccessfulRequests", row -> outcomes(row, 500, 200))
        .row("skipFailedRequests", row -> outcomes(row, 200, 500))
        .row("statusCode", this::words)
        .row("draft-8", this::fieldNames)
        .row("draft-7", this::sameFields)
        .row("draft-6", this::sameFields)
        .row("legacyHeaders: true", this::fieldNames)
        .row("ipv6Subnet", this::networks)
        .tests();
  }

  @AfterEach
  void stop() {
    if (theirs != null) {
      theirs.close();
    }
  }

  private AnnotatedEndpoint endpoint(Row row, UnaryOperator<WeirBuilder> parts) throws Exception {
    return new AnnotatedEndpoint(ours.annotated(row), parts);
  }

  private AnnotatedEndpoint endpoint(Row row) throws Exception {
    return endpoint(row, builder -> builder);
  }

  private boolean isAdmitted(Row row, String... fields) throws Exception {
    return theirs.send(row, 200, fields).statusCode() == 200;
  }

  private static FakeRequest request() {
    return FakeRequest.from("192.0.2.1");
  }

  private void windows(Row row) throws Exception {
    for (int i = 0; i < 4; i++) {
      assertEquals(i < 3, isAdmitted(row));
    }
    long theirReset = seconds(theirs.send(row, 200), "Retry-After");
    assertTrue(theirReset > 3_000, "a whole window from the first request: " + theirReset);
    try (AnnotatedEndpoint endpoint = endpoint(row)) {
      endpoint.advance(Duration.ofMinutes(59));
      assertTrue(endpoint.admits());
      Duration[] pauses = {Duration.ofMinutes(59), Duration.ofMinutes(1), Duration.ofMinutes(59)};
      assertEquals(List.of(2, 3, 0), endpoint.admitted(pauses), "from the first request on");
      assertEquals("60", endpoint.send(request()).fields().get("Retry-After"));
    }
  }

  private static long seconds(HttpResponse<?> response, String field) {
    return response.headers().firstValueAsLong(field).orElseThrow();
  }

  private void keys(Row row) throws Exception {
    String[] addresses = {"192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"};
    List<Boolean> there = new ArrayList<>();
    List<Boolean> here = new ArrayList<>();
    try (AnnotatedEndpoint endpoint = endpoint(row)) {
      for (String address : addresses) {
        there.add(isAdmitted(row, "X-Forwarded-For", address));
        here.add(endpoint.send(FakeRequest.from(address)).isAdmitted());
      }
      assertEquals(List.of(true, true, true, false), there, "one bucket without a key");
      assertEquals(List.of(true, true, true, true), here, "one for each address");
      for (int i = 0; i < 4; i++) {
        FakeRequest keyed = FakeRequest.from(addresses[i]).header("X-Api-Key", "secret");
        assertEquals(i < 3, endpoint.send(keyed).isAdmitted());
        assertEquals(
            i < 3, isAdmitted(row, "X-Api-Key", "secret", "X-Forwarded-For", addresses[i]));
      }
    }
  }

  private void tiers(Row row) throws Exception {
    UnaryOperator<WeirBuilder> plans =
        builder ->
            builder.tierResolver(
                (request, policy) ->
                    request.headers("X-Plan").contains("premium")
                        ? CallerTier.named("premium")
                        : CallerTier.none());
    try (AnnotatedEndpoint endpoint = endpoint(row, plans)) {
      for (boolean expected : List.of(true, false)) {
        assertEquals(expected, isAdmitted(row));
        assertEquals(expected, endpoint.send(request()).isAdmitted());
      }
      for (boolean expected : List.of(true, false)) { // the refused request counts
        assertEquals(expected, isAdmitted(row, "X-Plan", "premium"));
      }
      for (boolean expected : List.of(true, true, false)) {
        FakeRequest premium = request().header("X-Plan", "premium");
        assertEquals(expected, endpoint.send(premium).isAdmitted());
      }
    }
  }

  private void condition(Row row) throws Exception {
    UnaryOperator<WeirBuilder> changes =
        builder -> builder.requestCondition("changes", request -> !request.method().equals("GET"));
    try (AnnotatedEndpoint endpoint = endpoint(row, changes)) {
      for (int i = 0; i < 3; i++) {
        assertTrue(isAdmitted(row));
        assertTrue(endpoint.send(request()).isAdmitted());
      }
      for (boolean expected : List.of(true, false)) {
        assertEquals(expected, theirs.send("POST", row, 200).statusCode() == 200);
        assertEquals(expected, endpoint.send(request().method("POST")).isAdmitted());
      }
    }
  }

  private void outcomes(Row row, int counts, int doesNot) throws Exception {
    try (AnnotatedEndpoint endpoint = endpoint(row)) {
      for (int status : List.of(doesNot, doesNot, doesNot, counts, counts)) {
        assertEquals(status, theirs.send(row, status).statusCode());
        assertTrue(endpoint.send(request(), status).isAdmitted());
      }
      assertEquals(429, theirs.send(row, counts).statusCode());
      assertEquals(429, endpoint.send(request(), counts).status());
    }
  }

  private void words(Row row) throws Exception {
    assertTrue(isAdmitted(row));
    HttpResponse<String> refused = theirs.send(row, 200);
    assertEquals(503, refused.statusCode());
    assertEquals("Later.", refused.body());
    try (AnnotatedEndpoint endpoint = endpoint(row)) {
      assertTrue(endpoint.admits());
      assertEquals(429, endpoint.send(request()).status());
    }
  }

  private static AnnotatedEndpoint configured(Class<?> type, Row row) {
    String[] setting = row.ours().split("=", 2);
    return new AnnotatedEndpoint(type, builder -> builder.settings(Map.of(setting[0], setting[1])));
  }

  private static Set<String> limitFields(Set<String> names) {
    Set<String> found = new TreeSet<>();
    for (String each : names) {
      if (each.toLowerCase(java.util.Locale.ROOT).contains("ratelimit")) {
        found.add(each.toLowerCase(java.util.Locale.ROOT));
      }
    }
    return found;
  }

  private void fieldNames(Row row) throws Exception {
    try (AnnotatedEndpoint endpoint = configured(Three.class, row)) {
      assertEquals(
          limitFields(theirs.send(row, 200).headers().map().keySet()),
          limitFields(endpoint.send(request()).fields().keySet()));
    }
  }

  /** Compares values too: of the second request of three, and of five. */
  private void sameFields(Row row) throws Exception {
    HttpResponse<String> there = theirs.send(row, 200);
    try (AnnotatedEndpoint endpoint = configured(Three.class, row)) {
      Map<String, String> here = endpoint.send(request()).fields();
      for (String name : limitFields(there.headers().map().keySet())) {
        String theirs = there.headers().firstValue(name).orElseThrow();
        assertEquals(shape(theirs), shape(here.get(name)), name);
      }
      assertEquals(limitFields(there.headers().map().keySet()), limitFields(here.keySet()));
    }
  }

  private static String shape(String value) {
    return value.replaceAll("\\d+", "N");
  }

  private void networks(Row row) throws Exception {
    String one = "2001:db8:0:1200::1";
    String neighbour = "2001:db8:0:12ff::1";
    assertTrue(isAdmitted(row, "X-Forwarded-For", one));
    assertEquals(false, isAdmitted(row, "X-Forwarded-For", neighbour));
    try (AnnotatedEndpoint same = configured(One.class, row);
        AnnotatedEndpoint usual = new AnnotatedEndpoint(One.class)) {
      assertTrue(same.send(FakeRequest.from(one)).isAdmitted());
      assertEquals(false, same.send(FakeRequest.from(neighbour)).isAdmitted());
      assertTrue(usual.send(FakeRequest.from(one)).isAdmitted());
      assertTrue(usual.send(FakeRequest.from(neighbour)).isAdmitted());
    }
  }
}
