package io.weir.internal.server.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.weir.compat.redis.Await;
import io.weir.internal.server.access.Identity;
import io.weir.internal.server.access.Role;
import io.weir.internal.server.envoy.proto.RateLimitRequest;
import io.weir.internal.server.envoy.proto.RateLimitResponse;
import io.weir.internal.server.envoy.proto.RateLimitServiceGrpc;
import io.weir.internal.server.envoy.proto.RateLimitServiceGrpc.RateLimitServiceFutureStub;
import io.weir.internal.server.envoy.proto.RateLimitServiceGrpc.RateLimitServiceImplBase;
import io.weir.internal.server.grpc.call.MessageLimit;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that messages of one caller don't take the memory of the others. */
class MessageLimitTest {
  private static final int KIB = 1_024;
  private static final RateLimitRequest LARGE =
      RateLimitRequest.newBuilder().setDomain("x".repeat(100 * KIB)).build();

  /** Calls under way, which are answered when a test says so. */
  private final BlockingQueue<StreamObserver<RateLimitResponse>> held = new LinkedBlockingQueue<>();

  private final RateLimitServiceImplBase holding =
      new RateLimitServiceImplBase() {
        @Override
        public void shouldRateLimit(
            RateLimitRequest request, StreamObserver<RateLimitResponse> responses) {
          held.add(responses);
        }
      };
  private GrpcServer server;
  private ManagedChannel channel;

  private void start(GrpcServerBuilder builder) throws IOException {
    server = builder.messages(new MessageLimit(256 * KIB, 450 * KIB)).service(holding).start();
    channel = EnvoyServer.channel(server.port());
  }

  /** A token is accepted whoever has it; those of one user begin alike. */
  private static GrpcServerBuilder closed() {
    return GrpcServer.builder()
        .authenticator(
            token -> {
              int end = token.indexOf('-');
              return Optional.of(
                  new Identity(
                      Set.of(Role.CHECK),
                      end < 0 ? Optional.empty() : Optional.of(token.substring(0, end))));
            });
  }

  @AfterEach
  void stop() {
    answerAll();
    channel.shutdownNow();
    server.close();
  }

  private RateLimitServiceFutureStub as(String token) {
    Metadata metadata = new Metadata();
    metadata.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    return RateLimitServiceGrpc.newFutureStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata));
  }

  /** Sends a call, and waits until it is under way. */
  private ListenableFuture<RateLimitResponse> hold(RateLimitServiceFutureStub stub)
      throws InterruptedException {
    int before = held.size();
    ListenableFuture<RateLimitResponse> call = stub.shouldRateLimit(LARGE);
    Await.until("the call is under way", () -> call.isDone() || held.size() > before);
    assertTrue(!call.isDone(), "it is refused");
    return call;
  }

  private static void assertExhausted(ListenableFuture<RateLimitResponse> call) {
    ExecutionException failed =
        assertThrows(ExecutionException.class, () -> call.get(2, TimeUnit.MINUTES));
    Status status = ((StatusRuntimeException) failed.getCause()).getStatus();
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, status.getCode(), status::toString);
    String text = String.valueOf(status.getDescription());
    assertTrue(text.contains("at most 262144 bytes per caller"), text);
  }

  private void answerAll() {
    for (var each = held.poll(); each != null; each = held.poll()) {
      each.onNext(RateLimitResponse.getDefaultInstance());
      each.onCompleted();
    }
  }

  @Test
  void messagesOfCallsUnderWayAreLimitedByCallerAndInAll() throws Exception {
    start(closed());
    List<ListenableFuture<RateLimitResponse>> calls =
        List.of(hold(as("one")), hold(as("one")), hold(as("another")), hold(as("another")));
    assertExhausted(as("one").shouldRateLimit(LARGE));
    assertExhausted(as("third").shouldRateLimit(LARGE));
    answerAll();
    for (ListenableFuture<RateLimitResponse> each : calls) {
      assertEquals(RateLimitResponse.getDefaultInstance(), each.get(2, TimeUnit.MINUTES));
    }
    hold(as("one"));
    hold(as("third"));
  }

  @Test
  void tokensOfOneUserAreOneCaller() throws Exception {
    start(closed());
    hold(as("al-1"));
    hold(as("al-2"));
    assertExhausted(as("al-3").shouldRateLimit(LARGE));
    hold(as("bo-1"));
  }

  @Test
  void whereNoTokenIsNeededTheAddressIsTheCaller() throws Exception {
    start(GrpcServer.builder().open());
    hold(RateLimitServiceGrpc.newFutureStub(channel));
    hold(as("whatever"));
    assertExhausted(as("else").shouldRateLimit(LARGE));
  }

  /** They are the ones that fill direct memory. */
  @Test
  void messagesThatNeverBecomeCompleteCountToo() throws Exception {
    start(closed());
    byte[] call =
        Http2Flood.call(
            "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit",
            "content-type",
            "application/grpc",
            "authorization",
            "Bearer one");
    byte[] half = new byte[16 * KIB];
    half[2] = 0x10; // of a megabyte
    try (Http2Flood flood = new Http2Flood(server.port())) {
      flood.preface();
      int last = 2 * (256 / 15);
      for (int stream = 1; stream <= last + 1; stream += 2) {
        flood.frame(Http2Flood.HEADERS, Http2Flood.END_HEADERS, stream, call);
        flood.frame(Http2Flood.DATA, 0, stream, half);
      }
      assertTrue(flood.awaitEndOfAny());
      hold(as("another"));
    }
    Await.until("the first has gone", () -> !isExhausted(as("one").shouldRateLimit(LARGE)));
  }

  private boolean isExhausted(ListenableFuture<RateLimitResponse> call) {
    Await.until("it is refused or under way", () -> call.isDone() || held.size() > 1);
    return call.isDone();
  }
}
