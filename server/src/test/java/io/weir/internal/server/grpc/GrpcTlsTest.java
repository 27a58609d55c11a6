package io.weir.internal.server.grpc;

import static io.weir.internal.server.envoy.proto.RateLimitResponse.Code.OK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
import io.weir.internal.server.tls.ServerCertificate;
import io.weir.internal.server.tls.TlsFiles;
import io.weir.seeds.OneDayIn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests gRPC over TLS. */
@OneDayIn(2)
class GrpcTlsTest {
  private static final RateLimitRequest REQUEST = EnvoyServer.request("user", "al");

  @TempDir Path folder;

  @Test
  void whoTrustsTheCertificateIsAnsweredAndPlainTextIsNot() throws IOException {
    Certificate.make(folder, "ip:127.0.0.1");
    TlsFiles files = new TlsFiles(folder.resolve("cert.pem"), folder.resolve("key.pem"));
    try (ServerCertificate certificate = ServerCertificate.open(files);
        EnvoyServer server =
            EnvoyServer.start(
                RateLimiter.inProcess(), GrpcServer.builder().open().tls(certificate), folder)) {
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

  private static RateLimitServiceBlockingStub stub(ManagedChannel channel) {
    return RateLimitServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
  }
}
