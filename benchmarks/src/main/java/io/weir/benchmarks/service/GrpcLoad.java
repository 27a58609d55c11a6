package io.weir.benchmarks.service;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.weir.benchmarks.Latencies;
import io.weir.internal.server.envoy.proto.RateLimitDescriptor;
import io.weir.internal.server.envoy.proto.RateLimitRequest;
import io.weir.internal.server.envoy.proto.RateLimitResponse;
import io.weir.internal.server.envoy.proto.RateLimitServiceGrpc;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** {@code ShouldRateLimit} over a few connections, many calls at a time, as a gateway asks. */
final class GrpcLoad implements RequestLoad {
  private static final int CONNECTIONS = 4;
  private static final long STUCK_SECONDS = 30;

  private final List<ManagedChannel> channels = new ArrayList<>();
  private final List<RateLimitServiceGrpc.RateLimitServiceStub> stubs = new ArrayList<>();
  private final int depth;
  private final LinkedBlockingQueue<Call> answered = new LinkedBlockingQueue<>();

  /**
   * Opens all connections.
   *
   * @param depth how many calls are under way at a time
   */
  GrpcLoad(String host, int port, String token, int depth) {
    this.depth = depth;
    Metadata metadata = new Metadata();
    metadata.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    for (int i = 0; i < CONNECTIONS; i++) {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress(host, port).usePlaintext().directExecutor().build();
      channels.add(channel);
      stubs.add(
          RateLimitServiceGrpc.newStub(channel)
              .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata)));
    }
  }

  /** One call; the thread that reads its connection reports how long it took. */
  private final class Call implements StreamObserver<RateLimitResponse> {
    private final long since;
    private long took;
    private @Nullable Throwable error;

    Call(long since) {
      this.since = since;
    }

    void send(int number, int caller) {
      RateLimitRequest request =
          RateLimitRequest.newBuilder()
              .setDomain(ServerChild.DOMAIN)
              .addDescriptors(
                  RateLimitDescriptor.newBuilder()
                      .addEntries(
                          RateLimitDescriptor.Entry.newBuilder()
                              .setKey("user")
                              .setValue(ServerChild.user(caller))))
              .build();
      stubs.get(number % CONNECTIONS).shouldRateLimit(request, this);
    }

    @Override
    public void onNext(RateLimitResponse response) {
      if (response.getOverallCode() != RateLimitResponse.Code.OK) {
        error = new IllegalStateException("refused: " + response);
      }
    }

    @Override
    public void onError(Throwable failed) {
      error = failed;
      answered.add(this);
    }

    @Override
    public void onCompleted() {
      took = System.nanoTime() - since;
      answered.add(this);
    }
  }

  private static void count(@Nullable Call call, Latencies latencies) throws IOException {
    if (call == null || call.error != null) {
      throw new IOException("a call failed", call == null ? null : call.error);
    }
    latencies.add(call.took);
  }

  private @Nullable Call next() throws IOException {
    try {
      return answered.poll(STUCK_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException ended) {
      throw new IOException(ended);
    }
  }

  @Override
  public Latencies closed(CallerSequence callers, long nanos) throws IOException {
    Latencies latencies = new Latencies();
    long end = System.nanoTime() + nanos;
    int sent = 0;
    int waiting = 0;
    while (waiting > 0 || System.nanoTime() < end) {
      while (waiting < depth && System.nanoTime() < end) {
        new Call(System.nanoTime()).send(sent++, callers.next());
        waiting++;
      }
      if (waiting > 0) {
        count(next(), latencies);
        waiting--;
      }
    }
    return latencies;
  }

  @Override
  public Latencies open(CallerSequence callers, long nanos, double perSecond) throws IOException {
    Latencies latencies = new Latencies();
    long begin = System.nanoTime();
    int all = Math.max(1, (int) (nanos / 1e9 * perSecond));
    int sent = 0;
    while (latencies.count() < all) {
      long now = System.nanoTime();
      for (long due; sent < all && (due = begin + (long) (sent * 1e9 / perSecond)) <= now; sent++) {
        new Call(due).send(sent, callers.next());
      }
      if (sent == all) {
        count(next(), latencies);
      } else {
        pause();
      }
      for (Call each = answered.poll(); each != null; each = answered.poll()) {
        count(each, latencies);
      }
    }
    return latencies;
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(1);
    } catch (InterruptedException ended) {
      throw new IOException(ended);
    }
  }

  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
  }
}
