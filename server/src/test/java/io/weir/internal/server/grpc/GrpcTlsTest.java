package io.weir.internal.server.grpc;

import static io.weir.internal.server.envoy.proto.RateLimitResponse.Code.OK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.weir.RateLimiter;
import io.weir.compat.redis.Certificate;
import io.weir.internal.server.envoy.proto.RateLimitRequest;
import io.weir.internal.server.envoy.proto.RateLimitServiceGrpc;
import io.weir.internal.server.envoy.proto.RateLimitServiceGrpc.RateLimitServiceBlockingStub;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** gRPC over TLS. */
class GrpcTlsTest {
  private static final RateLimitRequest REQUEST = EnvoyServer.request("user", "al");

  @TempDir Path folder;

  @Test
  void whoTrustsTheCertificateIsAnsweredAndPlainTextIsNot() throws IOException {
    Certificate.make(folder, "ip:127.0.0.1");
    GrpcServerBuilder builder =
        GrpcServer.builder().open().tls(folder.resolve("cert.pem"), folder.resolve("key.pem"));
    try (EnvoyServer server = EnvoyServer.start(RateLimiter.inProcess(), builder, folder)) {
      ManagedChannel trusting =
          NettyChannelBuilder.forAddress("127.0.0.1", server.port())
              .sslContext(
                  GrpcSslContexts.forClient()
                      .trustManager(folder.resolve("cert.pem").toFile())
                      .build())
              .build();
      try {
        assertEquals(OK, stub(trusting).shouldRateLimit(REQUEST).getOverallCode());
      } finally {
        trusting.shutdownNow();
      }
      Status plain =
          assertThrows(StatusRuntimeException.class, () -> server.stub().shouldRateLimit(REQUEST))
              .getStatus();
      assertEquals(Status.Code.UNAVAILABLE, plain.getCode());
    }
  }

  @Test
  void aCertificateThatIsNoneIsAClearFailure() throws IOException {
    Path nothing = Files.writeString(folder.resolve("cert.pem"), "nothing");
    GrpcServerBuilder builder = GrpcServer.builder().open().tls(nothing, nothing);
    IOException failed = assertThrows(IOException.class, builder::start);
    assertTrue(failed.getMessage().contains(nothing.toString()), failed.getMessage());
  }

  private static RateLimitServiceBlockingStub stub(ManagedChannel channel) {
    return RateLimitServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
  }
}
