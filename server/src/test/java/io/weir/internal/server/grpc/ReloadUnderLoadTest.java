package io.weir.internal.server.grpc;

import static io.weir.internal.server.envoy.proto.RateLimitResponse.Code.OK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.annotation.OnStoreFailure;
import io.weir.internal.server.envoy.EnvoyRateLimitService;
import io.weir.internal.server.envoy.config.ReloadableConfig;
import io.weir.internal.server.envoy.proto.RateLimitRequest;
import io.weir.internal.server.envoy.proto.RateLimitResponse;
import io.weir.internal.server.envoy.proto.RateLimitServiceGrpc;
import io.weir.internal.server.metrics.DecisionTimer;
import io.weir.seeds.OneDayIn;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that each request sees one whole version of a file, whenever it changes. */
@OneDayIn(2)
class ReloadUnderLoadTest {
  private static final int CLIENTS = 3;
  private static final int VERSIONS = 200;

  @TempDir Path folder;

  private static final long PATIENCE_SECONDS = 120;

  @Test
  void everyRequestIsDecidedByOneVersion() throws Exception {
    write(version(1_000_000));
    RateLimiter limiter = RateLimiter.inProcess();
    ReloadableConfig files = ReloadableConfig.open(List.of(folder), OnStoreFailure.DEFAULT);
    GrpcServer server =
        GrpcServer.builder()
            .open()
            .service(
                new EnvoyRateLimitService(
                    limiter,
                    files,
                    Optional.empty(),
                    () -> OnStoreFailure.LOCAL,
                    DecisionTimer.NONE,
                    Ticker.system()))
            .start();
    ManagedChannel channel = EnvoyServer.channel(server.port());
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger seen = new AtomicInteger();
    long began = System.nanoTime();
    try {
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(threads.submit(() -> ask(channel, seen, done)));
      }
      // However slow the machine is, until a client has seen a change.
      for (int i = 1; i <= VERSIONS || seen.get() < 2 && isWithinPatience(began); i++) {
        write(i % 3 == 0 ? "domain: shop\ndescriptors: [{kye: a}]" : version(1_000_000 + i));
        files.refresh();
      }
      done.set(true);
      for (Future<?> each : clients) {
        each.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
      assertTrue(seen.get() > 1, "no client saw a change");
    } finally {
      done.set(true);
      threads.shutdownNow();
      channel.shutdownNow();
      server.close();
      limiter.close();
    }
  }

  private static boolean isWithinPatience(long began) {
    return System.nanoTime() - began < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
  }

  /** Asks until the end, and reports the number of versions that it has seen. */
  private static void ask(ManagedChannel channel, AtomicInteger seen, AtomicBoolean done) {
    RateLimitRequest.Builder both = RateLimitRequest.newBuilder().setDomain("shop");
    both.addDescriptorsBuilder().addEntriesBuilder().setKey("a").setValue("x");
    both.addDescriptorsBuilder().addEntriesBuilder().setKey("b").setValue("x");
    RateLimitRequest request = both.build();
    var stub =
        RateLimitServiceGrpc.newBlockingStub(channel)
            .withDeadlineAfter(2 * PATIENCE_SECONDS, TimeUnit.SECONDS);
    int versions = 0;
    int last = 0;
    while (!done.get()) {
      RateLimitResponse response = stub.shouldRateLimit(request);
      assertEquals(OK, response.getOverallCode());
      int first = response.getStatuses(0).getCurrentLimit().getRequestsPerUnit();
      int second = response.getStatuses(1).getCurrentLimit().getRequestsPerUnit();
      assertEquals(first, second);
      versions += first == last ? 0 : 1;
      last = first;
      seen.accumulateAndGet(versions, Math::max);
    }
  }

  private void write(String text) throws Exception {
    Files.writeString(folder.resolve("shop.yaml"), text);
  }

  private static String version(int limit) {
    String rate = "rate_limit: {unit: year, requests_per_unit: " + limit + "}";
    return "domain: shop\ndescriptors: [{key: a, " + rate + "}, {key: b, " + rate + "}]\n";
  }
}
