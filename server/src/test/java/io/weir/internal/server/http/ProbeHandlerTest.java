package io.weir.internal.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Ticker;
import io.weir.internal.server.listener.AddressConnectionLimit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;

class ProbeHandlerTest {
  private static final Health READY =
      new Health() {
        @Override
        public boolean isReady() {
          return true;
        }

        @Override
        public boolean isStopping() {
          return false;
        }
      };

  private final AtomicInteger served = new AtomicInteger();

  @Test
  void nothingIsServedOfAConnectionThatIsClosed() throws Exception {
    assertEquals(1, pipelined(5, true), "after the first nobody reads");
    assertEquals(6, pipelined(5, false), "and all others of a connection that is open");
  }

  private int pipelined(int requests, boolean isClosedByFirst) throws Exception {
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    ConnectionWatchdog watchdog =
        new ConnectionWatchdog(new AddressConnectionLimit(10), Ticker.system());
    connector.addBean(watchdog);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    server.setHandler(
        new ProbeHandler(
            watchdog,
            READY,
            new Handler.Abstract() {
              @Override
              public boolean handle(Request request, Response response, Callback callback) {
                served.incrementAndGet();
                if (isClosedByFirst) {
                  request.getConnectionMetaData().getConnection().getEndPoint().close();
                }
                callback.succeeded();
                return true;
              }
            }));
    server.start();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort())) {
      socket
          .getOutputStream()
          .write("GET /a HTTP/1.1\r\nHost: a\r\n\r\n".repeat(requests).getBytes(US_ASCII));
      socket.shutdownOutput();
      readToTheEnd(socket);
    } finally {
      server.stop();
    }
    return served.get();
  }

  private static void readToTheEnd(Socket socket) {
    try {
      socket.getInputStream().readAllBytes();
    } catch (IOException reset) {
      // it has ended as well
    }
  }
}
