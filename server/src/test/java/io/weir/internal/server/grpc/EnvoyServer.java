package io.weir.internal.server.grpc;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.weir.RateLimiter;
import io.weir.annotation.OnStoreFailure;
import io.weir.internal.server.envoy.proto.RateLimitDescriptor;
import io.weir.internal.server.envoy.proto.RateLimitRequest;
import io.weir.internal.server.envoy.proto.RateLimitServiceGrpc;
import io.weir.internal.server.envoy.proto.RateLimitServiceGrpc.RateLimitServiceBlockingStub;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server of Envoy's service with a real client. Confine to one thread. */
final class EnvoyServer implements AutoCloseable {
  private final RateLimiter limiter;
  private final GrpcServer server;
  private final ManagedChannel channel;

  private EnvoyServer(RateLimiter limiter, GrpcServer server) {
    this.limiter = limiter;
    this.server = server;
    this.channel = channel(server.port());
  }

  /** Open to everybody; closes the limiter. */
  static EnvoyServer open(RateLimiter limiter, Path folder) throws IOException {
    return start(limiter, GrpcServer.builder().open(), folder);
  }

  static EnvoyServer start(RateLimiter limiter, GrpcServerBuilder builder, Path folder)
      throws IOException {
    return start(limiter, builder, folder, OnStoreFailure.DEFAULT);
  }

  static EnvoyServer start(
      RateLimiter limiter, GrpcServerBuilder builder, Path folder, OnStoreFailure withoutStore)
      throws IOException {
    return new EnvoyServer(limiter, builder.envoy(limiter, List.of(folder), withoutStore).start());
  }

  static ManagedChannel channel(int port) {
    return NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
  }

  int port() {
    return server.port();
  }

  GrpcServer server() {
    return server;
  }

  ManagedChannel channel() {
    return channel;
  }

  RateLimitServiceBlockingStub stub() {
    return RateLimitServiceGrpc.newBlockingStub(channel).withDeadlineAfter(120, TimeUnit.SECONDS);
  }

  static RateLimitRequest request(String key, String value) {
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    descriptor.addEntriesBuilder().setKey(key).setValue(value);
    return RateLimitRequest.newBuilder().setDomain("shop").addDescriptors(descriptor).build();
  }

  @Override
  public void close() {
    channel.shutdownNow();
    server.close();
    limiter.close();
  }
}
