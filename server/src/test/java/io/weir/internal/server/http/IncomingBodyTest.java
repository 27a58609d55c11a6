package io.weir.internal.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.server.access.Authentication;
import io.weir.internal.server.access.Identity;
import io.weir.testkit.FakeTicker;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the time that a body may take, by a clock that stands still until a test moves it. */
class IncomingBodyTest {
  private static final int LENGTH = 10;

  private final FakeTicker ticker = new FakeTicker();

  /** Has a permit for each request that has read all that arrived, and waits for more. */
  private final Semaphore reading = new Semaphore(0);

  /** Has a permit for each request that was suspended. */
  private final Semaphore suspended = new Semaphore(0);

  private final Server server = new Server();
  private final ServerConnector connector = new ServerConnector(server);

  @BeforeEach
  void start() throws Exception {
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler("/", false, false);
    EnumSet<DispatcherType> each = EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC);
    Filter buffering = new BodyBufferingFilter(ticker);
    context.addFilter(new FilterHolder((Filter) this::authenticate), "/*", each);
    context.addFilter(
        new FilterHolder(
            (Filter)
                (request, response, chain) -> {
                  buffering.doFilter(request, response, chain);
                  if (request.isAsyncStarted()) {
                    request.getAsyncContext().setTimeout(0); // only the ticker counts
                  }
                  suspended.release();
                }),
        "/*",
        each);
    context.addServlet(new ServletHolder(new LengthServlet()), "/*");
    server.setHandler(context);
    server.start();
  }

  @AfterEach
  void stop() throws Exception {
    server.stop();
  }

  private void authenticate(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Authentication caller =
        new Authentication(
            new Identity(Set.of(), Optional.of("mallory")),
            "mallory",
            Optional.empty(),
            Optional.empty());
    chain.doFilter(
        new AuthenticatedRequest(
            new WatchedRequest((HttpServletRequest) request, reading),
            caller,
            null,
            () -> Optional.of(caller)),
        response);
  }

  /** Reports when its body has been read as far as it arrived. */
  private static final class WatchedRequest extends HttpServletRequestWrapper {
    private final Semaphore reading;

    WatchedRequest(HttpServletRequest request, Semaphore reading) {
      super(request);
      this.reading = reading;
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
      return new WatchedBody(super.getInputStream(), reading);
    }
  }

  private static final class WatchedBody extends ServletInputStream {
    private final ServletInputStream body;
    private final Semaphore reading;

    WatchedBody(ServletInputStream body, Semaphore reading) {
      this.body = body;
      this.reading = reading;
    }

    @Override
    public boolean isReady() {
      boolean ready = body.isReady();
      if (!ready) {
        reading.release();
      }
      return ready;
    }

    @Override
    public boolean isFinished() {
      return body.isFinished();
    }

    @Override
    public void setReadListener(ReadListener listener) {
      body.setReadListener(listener);
    }

    @Override
    public int read() throws IOException {
      return body.read();
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      return body.read(bytes, from, length);
    }
  }

  private static final class LengthServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.setHeader("Connection", "close");
      response.getWriter().print(request.getInputStream().readAllBytes().length);
    }
  }

  /** Returns a connection whose request has sent a part of its body, which has been read. */
  private Socket begin() throws IOException {
    return begin(reading);
  }

  private Socket begin(Semaphore begun) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort());
    socket.setSoTimeout(300_000);
    send(socket, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + LENGTH + "\r\n\r\n1234");
    begun.acquireUninterruptibly();
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(US_ASCII));
  }

  private static String response(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), US_ASCII);
  }

  @Test
  void aBodyInTimeIsReadWhole() throws IOException {
    try (Socket socket = begin()) {
      ticker.advance(Duration.ofSeconds(9));
      send(socket, "567890");
      String response = response(socket);
      assertTrue(response.startsWith("HTTP/1.1 200"), response);
      assertTrue(response.endsWith("\r\n10"), response);
    }
  }

  /** Jetty may lose the time-out of the suspended request. */
  @Test
  void aLateBodyIsRefusedWithTheNextPiece() throws IOException {
    try (Socket socket = begin()) {
      ticker.advance(Duration.ofSeconds(11));
      send(socket, "567890");
      String response = response(socket);
      assertTrue(response.startsWith("HTTP/1.1 408"), response);
    }
  }

  @Test
  void aBodyThatGetsItsTurnTooLateIsRefused() throws IOException {
    List<Socket> all = new ArrayList<>();
    try {
      for (int i = 0; i < BodyBufferingFilter.BODIES_AT_ONCE; i++) {
        all.add(begin());
      }
      suspended.acquireUninterruptibly(BodyBufferingFilter.BODIES_AT_ONCE);
      try (Socket last = begin(suspended)) {
        ticker.advance(Duration.ofSeconds(11));
        all.get(0).close(); // leaves its slot to the last one
        String response = response(last);
        assertTrue(response.startsWith("HTTP/1.1 408"), response);
        assertEquals(response.indexOf("HTTP/1.1"), response.lastIndexOf("HTTP/1.1"));
      }
    } finally {
      for (Socket each : all) {
        each.close();
      }
    }
  }
}
