package io.weir.internal.server.grpc;

import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.grpc.health.v1.HealthGrpc;

/**
 * Bounds the messages of calls that need no token. The bound for all is a megabyte, and a message
 * of which the last byte doesn't come is kept meanwhile: a thousand calls of one connection would
 * keep a gigabyte, before any sign-in.
 *
 * <p>Safe for concurrent use.
 */
final class UnauthenticatedMessageLimit extends ServerStreamTracer.Factory {
  private static final String OPEN_METHODS = HealthGrpc.SERVICE_NAME + "/";
  private static final int LARGEST = 4 * 1024;
  private static final ServerStreamTracer UNBOUNDED = new ServerStreamTracer() {};

  @Override
  public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
    return method.startsWith(OPEN_METHODS) ? new Bounded() : UNBOUNDED;
  }

  /** One call; confined to the thread of its connection. */
  private static final class Bounded extends ServerStreamTracer {
    private long received;

    /** Told as bytes arrive; ends the call as gRPC itself does where a message is too large. */
    @Override
    public void inboundWireSize(long bytes) {
      received += bytes;
      if (received > LARGEST) {
        throw Status.RESOURCE_EXHAUSTED
            .withDescription("the message is larger than " + LARGEST + " bytes")
            .asRuntimeException();
      }
    }
  }
}
