package io.weir.internal.server.grpc;

import static io.weir.internal.server.envoy.proto.RateLimitResponse.Code.OK;
import static io.weir.internal.server.envoy.proto.RateLimitResponse.Code.OVER_LIMIT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.UInt64Value;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.weir.RateLimiter;
import io.weir.annotation.OnStoreFailure;
import io.weir.compat.redis.RedisServer;
import io.weir.internal.server.envoy.proto.RateLimitRequest;
import io.weir.internal.server.envoy.proto.RateLimitResponse.Code;
import io.weir.seeds.OneDayIn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests Envoy's limits while the store can't be reached. */
@OneDayIn(2)
class StoreAwayTest {
  @TempDir Path folder;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(
        folder.resolve("shop.yaml"),
        """
        domain: shop
        descriptors: [{key: user, rate_limit: {unit: year, requests_per_unit: 2}}]
        """);
  }

  private EnvoyServer server(OnStoreFailure withoutStore) throws IOException {
    RateLimiter limiter =
        RateLimiter.builder()
            .store("redis://127.0.0.1:" + RedisServer.freePort(), name -> "")
            .startTimeout(Duration.ofMillis(50))
            .build();
    return EnvoyServer.start(limiter, GrpcServer.builder().open(), folder, withoutStore);
  }

  @Test
  void unlessSaidOtherwiseTheServerCountsByItself() throws IOException {
    try (EnvoyServer alone = server(OnStoreFailure.DEFAULT)) {
      assertEquals(OK, ask(alone, 1));
      assertEquals(OK, ask(alone, 1));
      assertEquals(OVER_LIMIT, ask(alone, 1));
    }
  }

  @Test
  void limitsThatAreOpenAdmit() throws IOException {
    try (EnvoyServer open = server(OnStoreFailure.OPEN)) {
      for (int i = 0; i < 5; i++) {
        assertEquals(OK, ask(open, 1));
      }
    }
  }

  @Test
  void limitsThatAreClosedAreUnavailable() throws IOException {
    try (EnvoyServer closed = server(OnStoreFailure.CLOSED)) {
      for (long hits : new long[] {0, 1, 2}) {
        Status status =
            assertThrows(StatusRuntimeException.class, () -> ask(closed, hits)).getStatus();
        assertEquals(Status.Code.UNAVAILABLE, status.getCode());
        assertEquals("the store can't be reached, and a limit needs it", status.getDescription());
      }
    }
  }

  private static Code ask(EnvoyServer server, long hits) {
    RateLimitRequest.Builder request = EnvoyServer.request("user", "al").toBuilder();
    request.getDescriptorsBuilder(0).setHitsAddend(UInt64Value.of(hits));
    return server.stub().shouldRateLimit(request.build()).getOverallCode();
  }
}
