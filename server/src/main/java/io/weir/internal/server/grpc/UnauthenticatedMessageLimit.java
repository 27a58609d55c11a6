package io.weir.internal.server.grpc;

import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.grpc.health.v1.HealthGrpc;

/**
 * Limits the size of messages of calls that need no token. The general limit is a megabyte, and an
 * incomplete message is buffered: a thousand calls on one connection would take a gigabyte, before
 * any sign-in.
 *
 * <p>Safe for concurrent use.
 */
final class UnauthenticatedMessageLimit extends ServerStreamTracer.Factory {
  private static final String OPEN_METHODS = HealthGrpc.SERVICE_NAME + "/";
  private static final int MAX_BYTES = 4 * 1024;
  private static final ServerStreamTracer UNBOUNDED = new ServerStreamTracer() {};

  @Override
  public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
    return method.startsWith(OPEN_METHODS) ? new Bounded() : UNBOUNDED;
  }

  /** Counts the bytes of one call; confined to the thread of its connection. */
  private static final class Bounded extends ServerStreamTracer {
    private long received;

    /** Ends the call as gRPC itself does for a message that is too large. */
    @Override
    public void inboundWireSize(long bytes) {
      received += bytes;
      if (received > MAX_BYTES) {
        throw Status.RESOURCE_EXHAUSTED
            .withDescription("the message is larger than " + MAX_BYTES + " bytes")
            .asRuntimeException();
      }
    }
  }
}
