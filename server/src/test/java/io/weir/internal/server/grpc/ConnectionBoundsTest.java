package io.weir.internal.server.grpc;

import static io.weir.internal.server.envoy.proto.RateLimitResponse.Code.OK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ConnectivityState;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.MetadataUtils;
import io.weir.RateLimiter;
import io.weir.compat.redis.Await;
import io.weir.internal.server.access.Identity;
import io.weir.internal.server.access.Role;
import io.weir.internal.server.envoy.proto.RateLimitServiceGrpc.RateLimitServiceBlockingStub;
import io.weir.seeds.OneDayIn;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the limits of connections without a sign-in. */
@OneDayIn(2)
class ConnectionBoundsTest {
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  @TempDir Path folder;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(
        folder.resolve("shop.yaml"),
        """
        domain: shop
        descriptors: [{key: user, rate_limit: {unit: year, requests_per_unit: 9}}]
        """);
  }

  private EnvoyServer start(GrpcServerBuilder builder) throws IOException {
    return EnvoyServer.start(RateLimiter.inProcess(), builder, folder);
  }

  private static GrpcServerBuilder closed() {
    return GrpcServer.builder()
        .authenticator(
            token ->
                token.equals("checker")
                    ? Optional.of(new Identity(Set.of(Role.CHECK), Optional.empty()))
                    : Optional.empty());
  }

  private static Socket connect(int port, String from) throws IOException {
    Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName(from), 0);
    socket.setSoTimeout(120_000);
    return socket;
  }

  /** Whether the server ends the connection, whatever it sends before. */
  private static boolean isEnded(Socket socket) {
    try {
      while (socket.getInputStream().read() >= 0) {
        // settings, good-bye
      }
      return true;
    } catch (java.net.SocketTimeoutException open) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  @Test
  void whoDoesNotSignInInTimeLosesTheConnectionAndOthersKeepTheirs() throws IOException {
    try (EnvoyServer server = start(closed().signIn(Duration.ofSeconds(2)))) {
      Metadata token = new Metadata();
      token.put(
          Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer checker");
      callInTime(
          server, server.stub().withInterceptors(MetadataUtils.newAttachHeadersInterceptor(token)));
      try (Socket silent = connect(server.port(), "127.0.0.1");
          Socket polite = connect(server.port(), "127.0.0.1")) {
        polite.getOutputStream().write(PREFACE.getBytes(StandardCharsets.US_ASCII));
        polite.getOutputStream().write(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0}); // no settings
        assertTrue(isEnded(silent));
        assertTrue(isEnded(polite));
      }
      assertEquals(ConnectivityState.READY, server.channel().getState(false));
    }
  }

  @Test
  void whereNoTokenIsNeededTheFirstCallCounts() throws IOException {
    GrpcServerBuilder open = GrpcServer.builder().open().signIn(Duration.ofSeconds(2));
    try (EnvoyServer server = start(open)) {
      callInTime(server, server.stub());
      try (Socket silent = connect(server.port(), "127.0.0.1")) {
        assertTrue(isEnded(silent));
      }
      assertEquals(ConnectivityState.READY, server.channel().getState(false));
    }
  }

  /** Calls until a call comes in time, so that its connection stays. */
  private static void callInTime(EnvoyServer server, RateLimitServiceBlockingStub stub) {
    Await.until(
        "a call in time",
        () -> {
          try {
            assertEquals(
                OK, stub.shouldRateLimit(EnvoyServer.request("user", "al")).getOverallCode());
            return server.channel().getState(false) == ConnectivityState.READY;
          } catch (StatusRuntimeException failed) {
            assertEquals(Status.Code.UNAVAILABLE, failed.getStatus().getCode());
            return false;
          }
        });
  }

  @Test
  void oneAddressHasSoManyConnectionsAndOthersAreServed() throws IOException {
    try (EnvoyServer server = start(closed().addressConnections(3))) {
      HealthGrpc.newBlockingStub(server.channel())
          .withDeadlineAfter(60, TimeUnit.SECONDS)
          .check(HealthCheckRequest.getDefaultInstance());
      try (Socket second = connect(server.port(), "127.0.0.1");
          Socket third = connect(server.port(), "127.0.0.1");
          Socket fourth = connect(server.port(), "127.0.0.1");
          Socket elsewhere = connect(server.port(), "127.0.0.2")) {
        assertTrue(isEnded(fourth));
        for (Socket each : new Socket[] {second, third, elsewhere}) {
          each.getOutputStream().write(PREFACE.getBytes(StandardCharsets.US_ASCII));
          assertEquals(0, each.getInputStream().read(), "the first byte of its settings");
        }
      }
    }
  }
}
