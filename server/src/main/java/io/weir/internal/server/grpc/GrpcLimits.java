package io.weir.internal.server.grpc;

import io.grpc.netty.NettyServerBuilder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** What one client may use of the server. */
final class GrpcLimits {
  /** A thousand requests of a kilobyte each. */
  private static final int LARGEST_MESSAGE = 1024 * 1024;

  /** A large JWT beside what gRPC sends itself. */
  private static final int LARGEST_METADATA = 16 * 1024;

  private static final int MOST_CALLS_OF_CONNECTION = 1_000;

  // Gateways reset a call that times out, so a few a second are normal, a flood isn't. Resets that
  // a
  // client makes the server send count as well.
  private static final int MOST_RESETS = 2_000;
  private static final int RESETS_SECONDS = 10;

  private static final int SHORTEST_PING_SECONDS = 10;
  private static final int OWN_PING_MINUTES = 2;
  private static final int PING_TIMEOUT_SECONDS = 20;
  private static final int IDLE_MINUTES = 15;
  private static final int HANDSHAKE_SECONDS = 10;
  private static final int AGE_GRACE_SECONDS = 30;

  private GrpcLimits() {}

  static void apply(NettyServerBuilder netty, Duration connectionAge) {
    netty
        .maxInboundMessageSize(LARGEST_MESSAGE)
        .maxInboundMetadataSize(LARGEST_METADATA)
        .maxConcurrentCallsPerConnection(MOST_CALLS_OF_CONNECTION)
        .maxRstFramesPerWindow(MOST_RESETS, RESETS_SECONDS)
        .permitKeepAliveTime(SHORTEST_PING_SECONDS, TimeUnit.SECONDS)
        .permitKeepAliveWithoutCalls(true)
        .keepAliveTime(OWN_PING_MINUTES, TimeUnit.MINUTES)
        .keepAliveTimeout(PING_TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .maxConnectionIdle(IDLE_MINUTES, TimeUnit.MINUTES)
        .handshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS)
        .maxConnectionAge(connectionAge.toNanos(), TimeUnit.NANOSECONDS)
        .maxConnectionAgeGrace(AGE_GRACE_SECONDS, TimeUnit.SECONDS);
  }
}
