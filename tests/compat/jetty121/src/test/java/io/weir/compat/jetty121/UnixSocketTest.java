package io.weir.compat.jetty121;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import io.weir.annotation.RateLimit;
import io.weir.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.junit.jupiter.api.Test;

/** Tests a proxy behind a Unix-domain socket, which has no address. */
class UnixSocketTest {
  /** Counts by address. */
  static final class Limited extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    @RateLimit(limit = 1, window = 3600)
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getOutputStream().print("peer [" + request.getRemoteAddr() + "]");
    }
  }

  @Test
  void callersBehindATrustedSocketAreToldApart() throws Exception {
    served(
        Map.of("weir.proxy.trusted", "unix:"),
        socket -> {
          assertEquals("200 peer []", get(socket, "192.0.2.1"));
          assertEquals("429", get(socket, "192.0.2.1").substring(0, 3));
          assertEquals("200 peer []", get(socket, "192.0.2.2"));
          assertEquals("429", get(socket, "6.6.6.6, 192.0.2.2").substring(0, 3));
        });
  }

  @Test
  void unlessItIsTrustedNobodyBehindItIsBelieved() throws Exception {
    served(
        Map.of("weir.proxy.trusted", "127.0.0.0/8, ::1"),
        socket -> {
          assertEquals("200 peer []", get(socket, "192.0.2.1"));
          assertEquals("429", get(socket, "192.0.2.2").substring(0, 3));
        });
  }

  private interface Client {
    void run(Path socket) throws Exception;
  }

  private static void served(Map<String, String> settings, Client test) throws Exception {
    Path directory = Files.createTempDirectory("weir"); // a socket's path must be short
    Path socket = directory.resolve("s");
    Server server = new Server();
    UnixDomainServerConnector connector = new UnixDomainServerConnector(server);
    connector.setUnixDomainPath(socket);
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler("/");
    context.addServlet(new ServletHolder(new Limited()), "/");
    server.setHandler(context);
    try (Weir weir = Weir.builder().settings(settings).build()) {
      context.addFilter(
          new FilterHolder(new RateLimitFilter(weir)), "/*", EnumSet.allOf(DispatcherType.class));
      server.start();
      test.run(socket);
    } finally {
      server.stop();
      Files.deleteIfExists(socket);
      Files.delete(directory);
    }
  }

  private static String get(Path socket, String forwarded) throws IOException {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      String request =
          "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Forwarded-For: "
              + forwarded
              + "\r\n\r\n";
      channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
      byte[] bytes = Channels.newInputStream(channel).readAllBytes();
      String answer = new String(bytes, StandardCharsets.US_ASCII);
      String status = answer.substring(9, 12);
      return status + " " + answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }
  }
}
