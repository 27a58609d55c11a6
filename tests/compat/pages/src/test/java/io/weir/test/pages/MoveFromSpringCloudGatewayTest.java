package io.weir.test.pages;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.compat.redis.RedisServer;
import io.weir.test.pages.MovingTable.Row;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.RedisClient;

/**
 * Tries rows of docs/moving.md about Spring Cloud Gateway: its script on a real Redis, with a time
 * that the test gives.
 */
class MoveFromSpringCloudGatewayTest {
  private static final String SCRIPT = "/META-INF/scripts/request_rate_limiter.lua";

  private static RedisClient redis;
  private static String script;
  @TempDir private Path folder;
  private MovingCode ours;

  @BeforeAll
  static void connect() throws IOException {
    redis = RedisClient.create(RedisServer.shared());
    try (InputStream in = MoveFromSpringCloudGatewayTest.class.getResourceAsStream(SCRIPT)) {
      script = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @AfterAll
  static void disconnect() {
    redis.close();
  }

  @TestFactory
  Stream<DynamicTest> eachRow() {
    MovingTable table = MovingTable.below("Spring Cloud Gateway");
    ours = table.compileOurs(folder, "Cells");
    return table
        .row("replenishRate: 10, burstCapacity: 20", row -> differWithinASecond(row, 20, 10))
        .row("replenishRate: 10, burstCapacity: 10", row -> differWithinASecond(row, 10, 10))
        .row("requestedTokens: 60", this::admitTheSame)
        .row("requestedTokens: 5", row -> differWithinASecond(row, 4, 2))
        .notRun("key-resolver")
        .notRun("Redis is away")
        .notRun("X-RateLimit-Remaining")
        .tests();
  }

  private static int number(Row row, String name, int orElse) {
    Matcher number = Pattern.compile(name + ": (\\d+)").matcher(row.theirs());
    return number.find() ? Integer.parseInt(number.group(1)) : orElse;
  }

  private static List<Integer> theirs(Row row, Duration... pauses) {
    String bucket = "request_rate_limiter.{" + RedisServer.prefix() + "}.";
    List<String> keys = List.of(bucket + "tokens", bucket + "timestamp");
    List<Integer> admitted = new ArrayList<>();
    Duration now = ofHours(500_000);
    for (Duration pause : pauses) {
      now = now.plus(pause);
      List<String> arguments =
          List.of(
              "" + number(row, "replenishRate", 0),
              "" + number(row, "burstCapacity", 1),
              "" + now.toSeconds(),
              "" + number(row, "requestedTokens", 1));
      int count = 0;
      for (int i = 0; i < 60; i++) {
        count += ((List<?>) redis.eval(script, keys, arguments)).get(0).equals(1L) ? 1 : 0;
      }
      admitted.add(count);
    }
    return admitted;
  }

  private void admitTheSame(Row row) throws Exception {
    Duration[] pauses = {ZERO, ofSeconds(59), ofSeconds(1), ofSeconds(150), ofSeconds(30)};
    try (AnnotatedEndpoint endpoint = new AnnotatedEndpoint(ours.annotated(row))) {
      assertEquals(theirs(row, pauses), endpoint.admitted(pauses));
    }
  }

  private void differWithinASecond(Row row, int burst, int perSecond) throws Exception {
    Duration[] pauses = {ZERO, ofMillis(500), ofMillis(500), ofSeconds(1), ofSeconds(9)};
    try (AnnotatedEndpoint endpoint = new AnnotatedEndpoint(ours.annotated(row))) {
      assertEquals(List.of(burst, 0, perSecond, perSecond, burst), theirs(row, pauses));
      assertEquals(
          List.of(burst, perSecond / 2, perSecond / 2, perSecond, burst),
          endpoint.admitted(pauses));
    }
  }
}
