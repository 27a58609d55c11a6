package io.weir.internal.server.grpc;

import io.grpc.netty.NettyServerBuilder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Limits what one client may use of the server. */
final class GrpcLimits {
  /** Enough for a thousand requests of a kilobyte each. */
  private static final int MAX_MESSAGE_BYTES = 1024 * 1024;

  /** Enough for a large JWT beside gRPC's own metadata. */
  private static final int MAX_METADATA_BYTES = 16 * 1024;

  /**
   * The most bytes that a connection sends ahead of what is read, such as messages of calls whose
   * token isn't known yet. gRPC's own window grows to 8 MiB.
   */
  private static final int WINDOW_BYTES = 64 * 1024;

  private static final int MAX_CALLS_PER_CONNECTION = 1_000;

  // Gateways reset calls that time out, so a few per second are normal, but a flood isn't. Resets
  // that a client provokes from the server count as well.
  private static final int MAX_RESETS = 2_000;
  private static final int RESET_WINDOW_SECONDS = 10;

  private static final int MIN_PING_SECONDS = 10;
  private static final int OWN_PING_MINUTES = 2;
  private static final int PING_TIMEOUT_SECONDS = 20;
  private static final int IDLE_MINUTES = 15;
  private static final int HANDSHAKE_SECONDS = 10;
  private static final int AGE_GRACE_SECONDS = 30;

  private GrpcLimits() {}

  static void apply(NettyServerBuilder netty, Duration connectionAge) {
    netty
        .maxInboundMessageSize(MAX_MESSAGE_BYTES)
        .maxInboundMetadataSize(MAX_METADATA_BYTES)
        .flowControlWindow(WINDOW_BYTES)
        .maxConcurrentCallsPerConnection(MAX_CALLS_PER_CONNECTION)
        .maxRstFramesPerWindow(MAX_RESETS, RESET_WINDOW_SECONDS)
        .permitKeepAliveTime(MIN_PING_SECONDS, TimeUnit.SECONDS)
        .permitKeepAliveWithoutCalls(true)
        .keepAliveTime(OWN_PING_MINUTES, TimeUnit.MINUTES)
        .keepAliveTimeout(PING_TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .maxConnectionIdle(IDLE_MINUTES, TimeUnit.MINUTES)
        .handshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS)
        .maxConnectionAge(connectionAge.toNanos(), TimeUnit.NANOSECONDS)
        .maxConnectionAgeGrace(AGE_GRACE_SECONDS, TimeUnit.SECONDS);
  }
}
