package io.weir.internal.server.grpc;

import static io.weir.internal.server.envoy.proto.RateLimitResponse.Code.OK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.weir.RateLimiter;
import io.weir.annotation.OnStoreFailure;
import io.weir.internal.server.envoy.proto.RateLimitRequest;
import io.weir.internal.server.envoy.proto.RateLimitResponse;
import io.weir.internal.server.envoy.proto.RateLimitServiceGrpc;
import io.weir.seeds.OneDayIn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that no call is lost when connections or servers end. */
@OneDayIn(2)
class ConnectionLifeTest {
  private static final int LIMIT = 100_000_000;
  private static final RateLimitRequest REQUEST = EnvoyServer.request("user", "al");

  @TempDir Path folder;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(
        folder.resolve("shop.yaml"),
        "domain: shop\ndescriptors: [{key: user, rate_limit: {unit: year, requests_per_unit: "
            + LIMIT
            + "}}]\n");
  }

  @Test
  void aConnectionThatIsTooOldIsReplacedWithoutLosingACall() throws IOException {
    GrpcServerBuilder builder = GrpcServer.builder().open().connectionAge(Duration.ofMillis(50));
    try (EnvoyServer server = EnvoyServer.start(RateLimiter.inProcess(), builder, folder)) {
      for (int i = 0; i < 2_000; i++) {
        assertEquals(OK, server.stub().shouldRateLimit(REQUEST).getOverallCode());
      }
    }
  }

  @Test
  void whatWasCountedWasAnsweredWhenTheServerStops() throws Exception {
    RateLimiter limiter = RateLimiter.inProcess();
    GrpcServer server =
        GrpcServer.builder().open().envoy(limiter, List.of(folder), OnStoreFailure.DEFAULT).start();
    ManagedChannel channel = EnvoyServer.channel(server.port());
    ExecutorService threads = Executors.newFixedThreadPool(4);
    AtomicInteger answered = new AtomicInteger();
    try {
      Future<?>[] clients = new Future<?>[4];
      for (int i = 0; i < clients.length; i++) {
        clients[i] = threads.submit(() -> askUntilClosed(channel, answered));
      }
      while (answered.get() < 500) {
        Thread.onSpinWait();
      }
      server.close();
      for (Future<?> each : clients) {
        each.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
      channel.shutdownNow();
    }
    try (EnvoyServer other = EnvoyServer.open(limiter, folder)) {
      RateLimitResponse last = other.stub().shouldRateLimit(REQUEST);
      assertEquals(LIMIT - answered.get() - 1, last.getStatuses(0).getLimitRemaining());
    }
  }

  private static void askUntilClosed(ManagedChannel channel, AtomicInteger answered) {
    var stub =
        RateLimitServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
    try {
      while (true) {
        assertEquals(OK, stub.shouldRateLimit(REQUEST).getOverallCode());
        answered.incrementAndGet();
      }
    } catch (StatusRuntimeException closed) {
      assertTrue(closed.getStatus().getCode() == Status.Code.UNAVAILABLE, closed.toString());
    }
  }
}
