package io.weir.quarkus.grpc;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/** Finds ports for servers, and connects to them. */
final class ServerPorts {
  private ServerPorts() {}

  static String free() {
    try (ServerSocket free = new ServerSocket(0)) {
      return Integer.toString(free.getLocalPort());
    } catch (IOException none) {
      throw new UncheckedIOException(none);
    }
  }

  /**
   * Connects to the gRPC server of the application under test.
   *
   * @param http its address by HTTP, where gRPC may be as well
   */
  static ManagedChannel connect(URI http) {
    Config config = ConfigProvider.getConfig();
    return connect(
        config.getValue("quarkus.grpc.server.use-separate-server", Boolean.class)
            ? config.getValue("quarkus.grpc.server.test-port", Integer.class)
            : http.getPort());
  }

  static ManagedChannel connect(int port) {
    return ManagedChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
  }
}
