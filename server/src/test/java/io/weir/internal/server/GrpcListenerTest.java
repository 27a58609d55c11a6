package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.UInt64Value;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.weir.InvalidSettingException;
import io.weir.compat.redis.RedisServer;
import io.weir.grpc.v1.CheckRequest;
import io.weir.grpc.v1.RateLimitServiceGrpc;
import io.weir.internal.server.envoy.proto.RateLimitRequest;
import io.weir.internal.server.envoy.proto.RateLimitResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests gRPC as a listener of the whole server. */
class GrpcListenerTest {
  @TempDir Path folder;

  @Test
  void bothServicesLetTheTokensOfTheServerIn() throws Exception {
    Path limits = Files.writeString(folder.resolve("shop.yaml"), limits("key"));
    try (RunningServer server =
        new RunningServer(
            Map.of("weir.server.listeners", "http,grpc", "weir.server.envoy", limits.toString()))) {
      ManagedChannel channel =
          NettyChannelBuilder.forTarget(server.service().listeners().get(1).address())
              .usePlaintext()
              .build();
      try {
        var checks =
            RateLimitServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
        CheckRequest request =
            CheckRequest.newBuilder().setUserId("al").setEndpoint("/api/posts").build();
        Status refused =
            assertThrows(StatusRuntimeException.class, () -> checks.check(request)).getStatus();
        assertEquals(Status.Code.UNAUTHENTICATED, refused.getCode());
        Metadata token = new Metadata();
        token.put(
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
            "Bearer " + server.admin());
        var bearing = MetadataUtils.newAttachHeadersInterceptor(token);
        assertTrue(checks.withInterceptors(bearing).check(request).getAllowed());
        var envoy =
            io.weir.internal.server.envoy.proto.RateLimitServiceGrpc.newBlockingStub(channel)
                .withInterceptors(bearing)
                .withDeadlineAfter(60, TimeUnit.SECONDS);
        RateLimitRequest.Builder descriptor = RateLimitRequest.newBuilder().setDomain("shop");
        descriptor.addDescriptorsBuilder().addEntriesBuilder().setKey("user").setValue("al");
        assertEquals(
            RateLimitResponse.Code.OK, envoy.shouldRateLimit(descriptor.build()).getOverallCode());
        assertEquals(
            RateLimitResponse.Code.OVER_LIMIT,
            envoy.shouldRateLimit(descriptor.build()).getOverallCode());
      } finally {
        channel.shutdownNow();
      }
    }
  }

  @Test
  void withoutItsStoreItIsUnavailableWhereTheSettingsSaySoAlsoForWhoOnlyLooks() throws Exception {
    Path limits = Files.writeString(folder.resolve("shop.yaml"), limits("key"));
    try (RunningServer server =
        new RunningServer(
            Map.of(
                "weir.store", "redis://127.0.0.1:" + RedisServer.freePort(),
                "weir.store.start-timeout", "50ms",
                "weir.on-store-failure", "closed",
                "weir.server.listeners", "grpc",
                "weir.server.open", "grpc",
                "weir.server.envoy", limits.toString()))) {
      ManagedChannel channel =
          NettyChannelBuilder.forTarget(server.service().listeners().get(0).address())
              .usePlaintext()
              .build();
      try {
        var envoy =
            io.weir.internal.server.envoy.proto.RateLimitServiceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(60, TimeUnit.SECONDS);
        for (long hits : new long[] {0, 1}) {
          RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("shop");
          request
              .addDescriptorsBuilder()
              .setHitsAddend(UInt64Value.of(hits))
              .addEntriesBuilder()
              .setKey("user")
              .setValue("al");
          Status away =
              assertThrows(
                      StatusRuntimeException.class, () -> envoy.shouldRateLimit(request.build()))
                  .getStatus();
          assertEquals(Status.Code.UNAVAILABLE, away.getCode(), hits + " hits: " + away);
        }
      } finally {
        channel.shutdownNow();
      }
    }
  }

  @Test
  void aConnectionIsAsOldAsTheSettingLetsItBe() throws Exception {
    try (RunningServer server =
            new RunningServer(
                Map.of(
                    "weir.server.listeners", "grpc",
                    "weir.server.open", "grpc",
                    "weir.server.grpc.connection-age", "1s"));
        Http2Line line = new Http2Line(server.service().listeners().get(0).address())) {
      assertTrue(line.isToldToGoAway(), "the server tells the client to go elsewhere");
    }
  }

  @Test
  void aWrongFileOfEnvoysLimitsFailsTheStart() throws Exception {
    Path limits = Files.writeString(folder.resolve("shop.yaml"), limits("kee"));
    Map<String, String> settings =
        Map.of("weir.server.listeners", "grpc", "weir.server.envoy", limits.toString());
    InvalidSettingException failed =
        assertThrows(InvalidSettingException.class, () -> new RunningServer(settings).close());
    assertTrue(
        failed.getMessage().contains("weir.server.envoy: " + limits + ":2:16: unknown key 'kee'"),
        failed.getMessage());
  }

  private static String limits(String key) {
    return "domain: shop\ndescriptors: [{"
        + key
        + ": user, rate_limit: {unit: year, requests_per_unit: 1}}]\n";
  }
}
