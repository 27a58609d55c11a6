package io.weir.internal.server.grpc;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Silences gRPC's log records about invalid input of clients, which have stack traces: clients
 * could fill the log before any sign-in. Keeps a level that is configured.
 */
final class ClientErrorLogSilencer {
  // Strong references, because the logging system drops unreferenced loggers and their levels.
  private static final List<Logger> LOGGERS =
      List.of(
          Logger.getLogger("io.grpc.netty.NettyServerHandler"),
          Logger.getLogger("io.grpc.netty.NettyServerStream"),
          Logger.getLogger("io.grpc.netty.NettyServerTransport"),
          Logger.getLogger("io.grpc.netty.NettyServerTransport.connections"));

  private ClientErrorLogSilencer() {}

  static void silence() {
    for (Logger each : LOGGERS) {
      if (each.getLevel() == null) {
        each.setLevel(Level.SEVERE);
      }
    }
  }
}
