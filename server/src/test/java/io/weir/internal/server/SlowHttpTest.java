package io.weir.internal.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.redis.Await;
import io.weir.seeds.OneDayIn;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests clients that send slowly, open many connections, or send bodies that no endpoint takes. */
@OneDayIn(2)
class SlowHttpTest {
  private static final int SLOW = 220;
  private static final int MAX = 20;
  private static final int CLIENTS = 48;
  private static final int EACH = 10;
  private static final String LIVE =
      "GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private RunningServer server;
  private volatile boolean isDone;

  @BeforeEach
  void start() {
    server = new RunningServer(Map.of());
  }

  @AfterEach
  void stop() throws IOException {
    isDone = true;
    for (Socket each : sockets) {
      each.close();
    }
    server.close();
  }

  private Socket connect() {
    return connect("127.0.0.1");
  }

  private Socket connect(String from) {
    try {
      Socket socket = new Socket();
      socket.bind(new InetSocketAddress(from, 0));
      socket.connect(
          new InetSocketAddress(
              InetAddress.getLoopbackAddress(), URI.create(server.url()).getPort()));
      socket.setSoTimeout(300_000);
      sockets.add(socket);
      return socket;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(US_ASCII));
  }

  /** Sends to each socket now and then, so that no time-out for idle ones ends it. */
  private void drip(List<Socket> slow, String more) {
    Thread dripping =
        new Thread(
            () -> {
              while (!isDone) {
                for (Socket each : slow) {
                  try {
                    send(each, more);
                  } catch (IOException closed) {
                    // The server has had enough.
                  }
                }
                try {
                  Thread.sleep(200);
                } catch (InterruptedException ended) {
                  return;
                }
              }
            });
    dripping.setDaemon(true);
    dripping.start();
  }

  /** All that comes before the server closes. */
  private static String toEnd(Socket socket) {
    StringBuilder all = new StringBuilder();
    try {
      InputStream in = socket.getInputStream();
      for (int next = in.read(); next >= 0; next = in.read()) {
        all.append((char) next);
      }
    } catch (java.net.SocketTimeoutException open) {
      return "still open after " + all;
    } catch (IOException reset) {
      // closed as well
    }
    return all.toString();
  }

  private String user(String name) {
    return server
        .service()
        .rules()
        .tokens()
        .create(name, "user", Optional.of(name), Optional.empty(), "test")
        .secret();
  }

  private static String head(String token, String length) {
    return "POST /v1/dashboard/tier/upgrade HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "
        + token
        + "\r\nContent-Type: application/json\r\n"
        + length
        + "\r\n\r\n";
  }

  @Test
  void slowBodiesOfOneUserKeepNobodyWaiting() throws IOException {
    String mallory = user("mallory");
    List<Socket> slow = new ArrayList<>();
    for (int i = 0; i < SLOW; i++) {
      Socket socket = connect();
      send(socket, head(mallory, "Content-Length: 60000") + "{");
      slow.add(socket);
    }
    drip(slow, " ".repeat(50)); // more than the least rate
    assertEquals(200, server.send("GET", "/health/live", "").statusCode());
    assertEquals(200, server.check(server.admin()).statusCode());

    Socket other = connect();
    String document = "{\"requestedTier\":\"gold\"}";
    send(
        other, head(user("bea"), "Content-Length: " + document.length() + "\r\nConnection: close"));
    send(other, document.substring(0, 5));
    send(other, document.substring(5));
    assertTrue(toEnd(other).startsWith("HTTP/1.1 400"), "there is no such tier");

    for (Socket each : slow) {
      String answer = toEnd(each);
      assertTrue(answer.startsWith("HTTP/1.1 408"), answer);
    }
  }

  @Test
  void aBodyInPiecesIsReadWhole() throws IOException {
    for (String length : List.of("Content-Length: 24000", "Transfer-Encoding: chunked")) {
      Socket socket = connect();
      send(
          socket,
          "POST /v1/ratelimit/check HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "
              + server.admin()
              + "\r\nContent-Type: application/json\r\nConnection: close\r\n"
              + length
              + "\r\n\r\n");
      String document = "{\"userId\":\"alice\",\"endpoint\":\"/api/posts\"}";
      String padded = document + " ".repeat(24_000 - document.length());
      for (int from = 0; from < padded.length(); from += 1_000) {
        String piece = padded.substring(from, from + 1_000);
        send(socket, length.startsWith("T") ? "3e8\r\n" + piece + "\r\n" : piece);
        socket.getOutputStream().flush();
      }
      send(socket, length.startsWith("T") ? "0\r\n\r\n" : "");
      String answer = toEnd(socket);
      assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
      assertTrue(answer.contains("\"allowed\""), answer);
    }
  }

  /** More at a time than one caller may send, and some that break off. */
  @Test
  void manyBodiesOfOneCallerTakeTurnsAndAllAreServed() throws Exception {
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<Integer>> served = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        served.add(clients.submit(this::sendInPieces));
      }
      for (Future<Integer> each : served) {
        assertEquals(EACH, each.get(300, TimeUnit.SECONDS));
      }
    } finally {
      clients.shutdownNow();
    }
  }

  /** Counts the responses with status 200. */
  private int sendInPieces() throws IOException {
    String document = "{\"userId\":\"alice\",\"endpoint\":\"/api/posts\"}";
    String head =
        "POST /v1/ratelimit/check HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "
            + server.admin()
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + document.length()
            + "\r\nConnection: close\r\n\r\n";
    int served = 0;
    for (int i = 0; i < EACH; i++) {
      try (Socket broken = connect()) {
        send(broken, head);
        send(broken, "{");
      }
      Socket socket = connect();
      send(socket, head);
      send(socket, document.substring(0, 7));
      send(socket, document.substring(7));
      String answer = toEnd(socket);
      assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
      served++;
    }
    return served;
  }

  @Test
  void aClientThatWaitsToBeAskedForTheBodyIsAsked() throws IOException {
    Socket socket = connect();
    String document = "{\"userId\":\"alice\",\"endpoint\":\"/api/posts\"}";
    send(
        socket,
        "POST /v1/ratelimit/check HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "
            + server.admin()
            + "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "
            + document.length()
            + "\r\nExpect: 100-continue\r\n\r\n");
    String asked = "HTTP/1.1 100 Continue\r\n\r\n";
    assertEquals(asked, new String(socket.getInputStream().readNBytes(asked.length()), US_ASCII));
    send(socket, document);
    // Only its beginning: the server may leave such a connection open until it is idle.
    String answer = "HTTP/1.1 200";
    assertEquals(answer, new String(socket.getInputStream().readNBytes(answer.length()), US_ASCII));
  }

  @Test
  void aBodyThatIsTooLongIsRefusedAsSoonAsItIs() throws IOException {
    Socket told = connect();
    send(told, head(server.admin(), "Content-Length: 70000"));
    assertTrue(toEnd(told).startsWith("HTTP/1.1 413"));
    Socket chunked = connect();
    send(chunked, head(server.admin(), "Transfer-Encoding: chunked"));
    for (int i = 0; i < 9; i++) {
      send(chunked, "2000\r\n" + " ".repeat(8_192) + "\r\n");
    }
    String answer = toEnd(chunked);
    assertTrue(answer.startsWith("HTTP/1.1 413"), answer);
  }

  @Test
  void aHeadArrivesInTimeOrItsConnectionEnds() throws IOException {
    assertEquals(200, server.send("GET", "/health/live", "").statusCode());
    Socket idle = connect();
    send(idle, LIVE.replace("close", "keep-alive"));
    assertEquals('H', idle.getInputStream().read());
    Socket silent = connect();
    Socket first = connect();
    send(first, "GET /health/live HTTP/1.1\r\nHost: a\r\nX-Slow: ");
    Socket second = connect();
    send(second, "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nX-Slow: ");
    drip(List.of(first, second), "a");
    assertEquals("", toEnd(silent));
    assertEquals("", toEnd(first));
    String answer = toEnd(second);
    assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
    assertEquals(1, answer.split("HTTP/1.1 ", -1).length - 1, answer);
    send(idle, LIVE);
    String answers = toEnd(idle);
    assertTrue(answers.contains("HTTP/1.1 200"), "a client that has been served: " + answers);
  }

  @Test
  void oneAddressHasSoManyConnectionsAndNoMore() throws IOException {
    server.close();
    server =
        new RunningServer(Map.of("weir.server.connections-per-address", Integer.toString(MAX)));
    List<Socket> all = new ArrayList<>();
    for (int i = 0; i < MAX; i++) {
      Socket each = connect();
      send(each, LIVE.replace("close", "keep-alive"));
      assertEquals('H', each.getInputStream().read());
      all.add(each);
    }
    assertEquals("", toEnd(connect()));
    assertTrue(isServed(connect("127.0.0.2")), "another address");
    for (Socket each : all) {
      assertTrue(isServed(each));
    }
    Await.until("closed ones count no more", () -> isServed(connect()));
  }

  private static boolean isServed(Socket socket) {
    try (socket) {
      send(socket, LIVE);
      return toEnd(socket).contains("TTP/1.1 200");
    } catch (IOException closed) {
      return false;
    }
  }

  @Test
  void aFormLeavesNothingInTheLog() {
    List<String> logged = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            logged.add(String.valueOf(entry.getMessage()));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger.getLogger("").addHandler(handler);
    try {
      String form = "application/x-www-form-urlencoded";
      String check = "/v1/ratelimit/check?password=marker";
      String forward = "/v1/ratelimit/forward?password=marker";
      String bearer = "Bearer " + server.admin();
      server.send("POST", check, "a=marker", "Content-Type", form);
      server.send("POST", check, "", "Content-Type", form);
      server.send("POST", check, "a=marker", "Content-Type", form, "Authorization", bearer);
      server.send("POST", forward, "", "Content-Type", form, "Authorization", bearer);
    } finally {
      Logger.getLogger("").removeHandler(handler);
    }
    assertFalse(logged.toString().contains("marker"), logged::toString);
  }
}
