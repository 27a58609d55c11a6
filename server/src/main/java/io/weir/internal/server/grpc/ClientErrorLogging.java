package io.weir.internal.server.grpc;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Silences what gRPC logs, with a stack trace each time, of clients that send something wrong: they
 * could fill the log, before any sign-in. A level that somebody has set stays.
 */
final class ClientErrorLogging {
  // Kept, since the logging system forgets a logger that nobody holds, and its level.
  private static final List<Logger> LOGGERS =
      List.of(
          Logger.getLogger("io.grpc.netty.NettyServerHandler"),
          Logger.getLogger("io.grpc.netty.NettyServerStream"),
          Logger.getLogger("io.grpc.netty.NettyServerTransport"),
          Logger.getLogger("io.grpc.netty.NettyServerTransport.connections"));

  private ClientErrorLogging() {}

  static void silence() {
    for (Logger each : LOGGERS) {
      if (each.getLevel() == null) {
        each.setLevel(Level.SEVERE);
      }
    }
  }
}
