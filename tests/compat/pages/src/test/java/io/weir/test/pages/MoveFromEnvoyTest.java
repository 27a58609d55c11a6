package io.weir.test.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.weir.compat.redis.Await;
import io.weir.internal.server.AdminTokenBootstrap;
import io.weir.internal.server.WeirServer;
import io.weir.internal.server.envoy.proto.RateLimitDescriptor;
import io.weir.internal.server.envoy.proto.RateLimitRequest;
import io.weir.internal.server.envoy.proto.RateLimitResponse;
import io.weir.internal.server.envoy.proto.RateLimitResponse.Code;
import io.weir.internal.server.envoy.proto.RateLimitServiceGrpc;
import io.weir.test.pages.MovingTable.Row;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tries what Weir does with each row of docs/moving.md about Envoy's ratelimit, in years so that no
 * window ends meanwhile.
 */
class MoveFromEnvoyTest {
  private static final String LIMIT = "rate_limit: {unit: year, requests_per_unit: 2}";

  @TempDir private Path folder;
  private WeirServer server;
  private ManagedChannel channel;

  @TestFactory
  Stream<DynamicTest> eachRow() throws Exception {
    MovingTable table = MovingTable.below("Envoy's ratelimit");
    StringBuilder yaml = new StringBuilder("domain: shop\ndescriptors:\n");
    for (Row row : table.rows()) {
      if (!row.theirs().contains("yes")) {
        yaml.append(descriptor(row));
      }
    }
    server = start(Files.writeString(folder.resolve("shop.yaml"), yaml));
    String address = server.listeners().get(0).address();
    channel = NettyChannelBuilder.forTarget(address).usePlaintext().build();
    return table
        .row("requests_per_unit", row -> admits(row, 2))
        .row("unlimited", row -> admits(row, 10))
        .row("shadow_mode: true", this::shadow)
        .row("shadow_mode: yes", this::yes)
        .row("detailed_metric", row -> admits(row, 2))
        .row("two descriptors", this::bothOrNone)
        .row("a request over its limit", this::refusedDontCount)
        .notRun("REDIS_URL")
        .tests();
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    server.close();
  }

  /** A descriptor of its own for a row: with what the row says, and with a limit. */
  private static String descriptor(Row row) {
    String said = row.theirs().contains(": ") ? row.theirs().replace("minute", "year") : LIMIT;
    String limit = said.contains("rate_limit") ? said : said + "\n    " + LIMIT;
    return "  - key: row" + row.number() + "\n    " + limit + "\n";
  }

  private static WeirServer start(Path file) {
    return WeirServer.start(
        Map.of(
            "weir.store", "inprocess:",
            "weir.rules", "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
            "weir.rules.timeout", "10s",
            "weir.store.timeout", "10s",
            "weir.server.listeners", "grpc",
            "weir.server.grpc.port", "0",
            "weir.server.open", "grpc",
            "weir.server.envoy", file.toString(),
            "weir.server.stop.delay", "1ms"),
        new AdminTokenBootstrap(printed -> {}));
  }

  private RateLimitResponse ask(RateLimitDescriptor... descriptors) {
    return RateLimitServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(120, TimeUnit.SECONDS)
        .shouldRateLimit(
            RateLimitRequest.newBuilder()
                .setDomain("shop")
                .addAllDescriptors(List.of(descriptors))
                .build());
  }

  private static RateLimitDescriptor of(Row row, String value) {
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    descriptor.addEntriesBuilder().setKey("row" + row.number()).setValue(value);
    return descriptor.build();
  }

  private boolean isAdmitted(Row row, String value) {
    return ask(of(row, value)).getOverallCode() == Code.OK;
  }

  private void admits(Row row, int limit) {
    int admitted = 0;
    for (int i = 0; i < 10; i++) {
      admitted += isAdmitted(row, "a") ? 1 : 0;
    }
    assertEquals(limit, admitted);
    assertTrue(isAdmitted(row, "b"));
  }

  private void shadow(Row row) throws Exception {
    for (int i = 0; i < 4; i++) {
      assertTrue(isAdmitted(row, "a"));
    }
    String inside = "rate_limit: {unit: year, requests_per_unit: 2, " + row.theirs() + "}";
    assertRefused("    " + inside + "\n");
  }

  private void yes(Row row) throws Exception {
    assertRefused("    " + row.theirs() + "\n    " + LIMIT + "\n");
  }

  private void assertRefused(String descriptor) throws Exception {
    Path file = folder.resolve(UUID.randomUUID() + ".yaml");
    Files.writeString(file, "domain: other\ndescriptors:\n  - key: one\n" + descriptor);
    RuntimeException refused = assertThrows(RuntimeException.class, () -> start(file).close());
    assertTrue(refused.toString().contains("shadow_mode"), refused.toString());
  }

  private void bothOrNone(Row row) {
    for (int i = 0; i < 3; i++) {
      isAdmitted(row, "over");
    }
    assertEquals(Code.OVER_LIMIT, ask(of(row, "over"), of(row, "other")).getOverallCode());
    assertEquals(1, ask(of(row, "other")).getStatuses(0).getLimitRemaining());
  }

  private void refusedDontCount(Row row) throws Exception {
    for (int i = 0; i < 10; i++) {
      assertEquals(i < 2, isAdmitted(row, "a"));
    }
    Path file = folder.resolve("shop.yaml");
    String raised = Files.readString(file).replace("per_unit: 2", "per_unit: 3");
    Files.writeString(file, raised);
    Await.until("the changed file is read", () -> isAdmitted(row, "a"));
    assertEquals(false, isAdmitted(row, "a"));
  }
}
