package io.weir.internal.server.grpc;

import static io.weir.internal.server.envoy.proto.RateLimitResponse.Code.OK;
import static io.weir.internal.server.envoy.proto.RateLimitResponse.Code.OVER_LIMIT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.weir.RateLimiter;
import io.weir.internal.server.access.Identity;
import io.weir.internal.server.access.Role;
import io.weir.internal.server.envoy.proto.RateLimitRequest;
import io.weir.internal.server.envoy.proto.RateLimitResponse;
import io.weir.internal.server.envoy.proto.RateLimitServiceGrpc;
import io.weir.internal.server.envoy.proto.RateLimitServiceGrpc.RateLimitServiceBlockingStub;
import io.weir.internal.server.envoy.proto.RateLimitServiceGrpc.RateLimitServiceImplBase;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests authentication and limits with a real client. */
class GrpcServerTest {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  @TempDir Path folder;

  private final Map<String, Identity> tokens =
      new ConcurrentHashMap<>(
          Map.of(
              "checker", new Identity(Set.of(Role.CHECK), Optional.empty()),
              "admin", new Identity(Set.of(Role.ADMIN), Optional.empty()),
              "metrics", new Identity(Set.of(Role.METRICS), Optional.empty()),
              "user", new Identity(Set.of(Role.USER), Optional.of("al"))));

  @BeforeEach
  void write() throws IOException {
    Files.writeString(
        folder.resolve("shop.yaml"),
        """
        domain: shop
        descriptors: [{key: user, rate_limit: {unit: year, requests_per_unit: 2}}]
        """);
  }

  @Test
  void aClientIsAnswered() throws IOException {
    try (EnvoyServer open = EnvoyServer.open(RateLimiter.inProcess(), folder)) {
      RateLimitRequest request = EnvoyServer.request("user", "al");
      assertEquals(OK, open.stub().shouldRateLimit(request).getOverallCode());
      assertEquals(OK, open.stub().shouldRateLimit(request).getOverallCode());
      assertEquals(OVER_LIMIT, open.stub().shouldRateLimit(request).getOverallCode());
    }
  }

  @Test
  void aWrongRequestIsAnInvalidArgument() throws IOException {
    try (EnvoyServer open = EnvoyServer.open(RateLimiter.inProcess(), folder)) {
      Status status = refusal(open.stub(), RateLimitRequest.getDefaultInstance());
      assertEquals(Status.Code.INVALID_ARGUMENT, status.getCode());
      assertEquals("domain must not be empty", status.getDescription());
    }
  }

  @Test
  void onlyATokenOfTheRoleIsLetIn() throws IOException {
    try (EnvoyServer closed = closed()) {
      RateLimitRequest request = EnvoyServer.request("user", "al");
      assertEquals(OK, as(closed, "Bearer checker").shouldRateLimit(request).getOverallCode());
      assertEquals(OK, as(closed, "bearer  admin").shouldRateLimit(request).getOverallCode());
      assertEquals(Status.Code.UNAUTHENTICATED, refusal(closed.stub(), request).getCode());
      for (String wrong : new String[] {"Bearer nobody", "Bearer ", "checker", "Basic checker"}) {
        Status status = refusal(as(closed, wrong), request);
        assertEquals(Status.Code.UNAUTHENTICATED, status.getCode(), wrong);
      }
      for (String other : new String[] {"Bearer metrics", "Bearer user"}) {
        Status status = refusal(as(closed, other), request);
        assertEquals(Status.Code.PERMISSION_DENIED, status.getCode(), other);
      }
    }
  }

  @Test
  void aRevokedTokenEndsOnAnOpenConnection() throws IOException {
    try (EnvoyServer closed = closed()) {
      RateLimitRequest request = EnvoyServer.request("user", "al");
      assertEquals(OK, as(closed, "Bearer checker").shouldRateLimit(request).getOverallCode());
      tokens.remove("checker");
      Status status = refusal(as(closed, "Bearer checker"), request);
      assertEquals(Status.Code.UNAUTHENTICATED, status.getCode());
    }
  }

  @Test
  void healthNeedsNoTokenAndEndsFirst() throws IOException {
    try (EnvoyServer closed = closed()) {
      var health = HealthGrpc.newBlockingStub(closed.channel());
      HealthCheckRequest whole = HealthCheckRequest.getDefaultInstance();
      assertEquals(ServingStatus.SERVING, health.check(whole).getStatus());
      closed.server().drain();
      assertEquals(ServingStatus.NOT_SERVING, health.check(whole).getStatus());
      RateLimitRequest request = EnvoyServer.request("user", "al");
      assertEquals(OK, as(closed, "Bearer checker").shouldRateLimit(request).getOverallCode());
    }
  }

  /** Otherwise a stop would wait for its whole time, as nobody else ends such a stream. */
  @Test
  void whoWatchesTheHealthIsToldThatItEnds() throws IOException {
    try (EnvoyServer open =
        EnvoyServer.start(
            RateLimiter.inProcess(),
            GrpcServer.builder().open().drain(Duration.ofSeconds(3)),
            folder)) {
      var health = HealthGrpc.newBlockingStub(open.channel());
      var watched = health.watch(HealthCheckRequest.getDefaultInstance());
      var unknown = health.watch(HealthCheckRequest.newBuilder().setService("no.such").build());
      assertEquals(ServingStatus.SERVING, watched.next().getStatus());
      assertEquals(ServingStatus.SERVICE_UNKNOWN, unknown.next().getStatus());
      open.server().close();
      assertEquals(ServingStatus.NOT_SERVING, watched.next().getStatus());
      for (var each : List.of(watched, unknown)) {
        Status ended = assertThrows(StatusRuntimeException.class, each::next).getStatus();
        assertEquals(Status.Code.UNAVAILABLE, ended.getCode());
        assertEquals("the server is stopping", ended.getDescription());
      }
    }
  }

  @Test
  void aServiceThatIsNotServedHasNoHealth() throws IOException {
    try (EnvoyServer open = EnvoyServer.open(RateLimiter.inProcess(), folder)) {
      var health = HealthGrpc.newBlockingStub(open.channel());
      for (String name : List.of("envoy.service.ratelimit.v3.RateLimitService", "")) {
        HealthCheckRequest known = HealthCheckRequest.newBuilder().setService(name).build();
        assertEquals(ServingStatus.SERVING, health.check(known).getStatus());
      }
      HealthCheckRequest other = HealthCheckRequest.newBuilder().setService("no.such").build();
      Status failed =
          assertThrows(StatusRuntimeException.class, () -> health.check(other)).getStatus();
      assertEquals(Status.Code.NOT_FOUND, failed.getCode());
    }
  }

  @Test
  void aMessageThatIsTooLargeIsRefusedAndTheConnectionLivesOn() throws IOException {
    try (EnvoyServer open = EnvoyServer.open(RateLimiter.inProcess(), folder)) {
      Status status = refusal(open.stub(), EnvoyServer.request("user", "x".repeat(1024 * 1024)));
      assertEquals(Status.Code.RESOURCE_EXHAUSTED, status.getCode());
      RateLimitRequest request = EnvoyServer.request("user", "al");
      assertEquals(OK, open.stub().shouldRateLimit(request).getOverallCode());
    }
  }

  @Test
  void metadataThatIsTooLargeIsRefusedAndTheConnectionLivesOn() throws IOException {
    try (EnvoyServer open = EnvoyServer.open(RateLimiter.inProcess(), folder)) {
      RateLimitRequest request = EnvoyServer.request("user", "al");
      Status status = refusal(as(open, "Bearer " + "x".repeat(40_000)), request);
      assertTrue(
          status.getCode() == Status.Code.RESOURCE_EXHAUSTED
              || status.getCode() == Status.Code.INTERNAL,
          status.toString());
      assertEquals(OK, open.stub().shouldRateLimit(request).getOverallCode());
    }
  }

  @Test
  void manyDescriptorsAreRefused() throws IOException {
    try (EnvoyServer open = EnvoyServer.open(RateLimiter.inProcess(), folder)) {
      RateLimitRequest.Builder many = RateLimitRequest.newBuilder().setDomain("shop");
      for (int i = 0; i <= 1_000; i++) {
        many.addDescriptorsBuilder();
      }
      Status status = refusal(open.stub(), many.build());
      assertEquals("descriptors must be 1 to 1,000, not 1001", status.getDescription());
    }
  }

  @Test
  void aClosedLimiterIsUnavailable() throws IOException {
    RateLimiter limiter = RateLimiter.inProcess();
    try (EnvoyServer open = EnvoyServer.open(limiter, folder)) {
      limiter.close();
      Status status = refusal(open.stub(), EnvoyServer.request("user", "al"));
      assertEquals(Status.Code.UNAVAILABLE, status.getCode());
    }
  }

  @Test
  void aPortThatIsTakenIsAClearFailure() throws IOException {
    try (ServerSocket taken = new ServerSocket(0)) {
      GrpcServerBuilder builder = GrpcServer.builder().open().port(taken.getLocalPort());
      IOException failure = assertThrows(IOException.class, builder::start);
      assertTrue(failure.getMessage().contains("" + taken.getLocalPort()), failure.getMessage());
    }
  }

  @Test
  void itMustBeSaidWhoMayCall() {
    assertThrows(IllegalStateException.class, () -> GrpcServer.builder().start());
    assertThrows(
        IllegalStateException.class,
        () -> GrpcServer.builder().open().authenticator(token -> Optional.empty()).start());
  }

  /** The clients' connections are busy when it stops, and each call that arrived is answered. */
  @Test
  void whatWasReceivedIsAnsweredWhenItStops() throws Exception {
    int clients = 4;
    CountDownLatch busy = new CountDownLatch(clients * 20);
    AtomicInteger received = new AtomicInteger();
    AtomicInteger answered = new AtomicInteger();
    RateLimitServiceImplBase counting =
        new RateLimitServiceImplBase() {
          @Override
          public void shouldRateLimit(
              RateLimitRequest request, StreamObserver<RateLimitResponse> responses) {
            received.incrementAndGet();
            busy.countDown();
            responses.onNext(RateLimitResponse.getDefaultInstance());
            responses.onCompleted();
          }
        };
    GrpcServer server = GrpcServer.builder().open().service(counting).start();
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    List<Future<Status>> ends = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      ends.add(threads.submit(() -> callUntilRefused(server.port(), answered)));
    }
    busy.await();
    server.close();
    for (Future<Status> each : ends) {
      Status end = each.get();
      assertTrue(String.valueOf(end.getCause()).contains("Connection refused"), end::toString);
    }
    threads.shutdown();
    assertEquals(received.get(), answered.get());
  }

  /** Returns the status of the first call that fails: it finds nobody who listens. */
  private static Status callUntilRefused(int port, AtomicInteger answered) {
    ManagedChannel channel = EnvoyServer.channel(port);
    try {
      RateLimitServiceBlockingStub stub = RateLimitServiceGrpc.newBlockingStub(channel);
      while (true) {
        var unused = stub.shouldRateLimit(RateLimitRequest.getDefaultInstance());
        answered.incrementAndGet();
      }
    } catch (StatusRuntimeException refused) {
      return refused.getStatus();
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void closingLeavesNoThread() throws Exception {
    try (EnvoyServer open = EnvoyServer.open(RateLimiter.inProcess(), folder)) {
      open.stub().shouldRateLimit(EnvoyServer.request("user", "al"));
    }
    for (Thread each : Thread.getAllStackTraces().keySet()) {
      if (each.getName().startsWith("weir-grpc") || each.getName().startsWith("weir-envoy")) {
        each.join(10_000);
        assertTrue(!each.isAlive(), each.getName());
      }
    }
  }

  private EnvoyServer closed() throws IOException {
    return EnvoyServer.start(
        RateLimiter.inProcess(),
        GrpcServer.builder().authenticator(token -> Optional.ofNullable(tokens.get(token))),
        folder);
  }

  private static RateLimitServiceBlockingStub as(EnvoyServer server, String authorization) {
    Metadata metadata = new Metadata();
    metadata.put(AUTHORIZATION, authorization);
    return server.stub().withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata));
  }

  private static Status refusal(RateLimitServiceBlockingStub stub, RateLimitRequest request) {
    return assertThrows(StatusRuntimeException.class, () -> stub.shouldRateLimit(request))
        .getStatus();
  }
}
