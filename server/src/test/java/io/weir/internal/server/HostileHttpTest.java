package io.weir.internal.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.bodies.UnreadBody;
import io.weir.compat.redis.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests malicious and broken HTTP clients. */
class HostileHttpTest {
  private static final String EVENTS = "/v1/admin/ratelimit/events";

  private RunningServer server;

  @BeforeEach
  void start() {
    // Longer than any stream of events lasts: a stop ends streams, and waits for none.
    server = new RunningServer(Map.of("weir.server.stop.timeout", "10m"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Socket connect() throws IOException {
    Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), URI.create(server.url()).getPort());
    socket.setSoTimeout(60_000);
    return socket;
  }

  /** Sends lines as they are, closes that direction, and reads all that comes. */
  private String raw(String... lines) throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write((String.join("\r\n", lines) + "\r\n\r\n").getBytes(US_ASCII));
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }
  }

  @Test
  void clientsThatPipelineAndReadNothingFillNoLog() throws IOException {
    List<LogRecord> told = new CopyOnWriteArrayList<>();
    Handler handler = listening(told);
    try {
      pipelineAndReadNothing(20);
      Await.until("a response can't be written", () -> !told.isEmpty());
    } finally {
      Logger.getLogger("").removeHandler(handler);
    }
    for (LogRecord each : told) {
      assertTrue(each.getMessage().startsWith("Clients closed"), each::getMessage);
      assertNull(each.getThrown());
    }
  }

  private void pipelineAndReadNothing(int connections) throws IOException {
    String page = "GET /v1/console/ HTTP/1.1\r\nHost: localhost\r\n\r\n";
    for (int i = 0; i < connections; i++) {
      try (Socket socket = new Socket()) {
        socket.setReceiveBufferSize(4_096);
        socket.setSoLinger(true, 0);
        socket.connect(
            new InetSocketAddress(
                InetAddress.getLoopbackAddress(), URI.create(server.url()).getPort()));
        socket.getOutputStream().write(page.repeat(500).getBytes(US_ASCII));
      }
    }
  }

  @Test
  void credentialsOfOneConnectionDifferByCase() throws IOException {
    String other = flipCase(server.admin());
    for (List<String> tokens :
        List.of(List.of(server.admin(), other), List.of(other, server.admin()))) {
      String[] sent = new String[2];
      for (int i = 0; i < 2; i++) {
        sent[i] =
            "GET /v1/session HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                + tokens.get(i)
                + (i == 0 ? "\r\n" : "\r\nConnection: close");
      }
      String answers = raw(sent);
      boolean isGoodFirst = tokens.get(0).equals(server.admin());
      assertTrue(answers.startsWith("HTTP/1.1 " + (isGoodFirst ? 200 : 401)), answers);
      assertTrue(answers.lastIndexOf("HTTP/1.1 200") > 0 != isGoodFirst, "the second: " + answers);
      assertTrue(answers.lastIndexOf("HTTP/1.1 401") > 0 == isGoodFirst, answers);
    }
  }

  private static String flipCase(String text) {
    StringBuilder flipped = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      boolean isUpper = Character.isUpperCase(each);
      flipped.append(isUpper ? Character.toLowerCase(each) : Character.toUpperCase(each));
    }
    return flipped.toString();
  }

  private String bearer() {
    return "Authorization: Bearer " + server.admin();
  }

  @Test
  void whatIsNoRequestIsRefusedByAProblemThatRepeatsNothing() throws IOException {
    for (String line :
        List.of(
            "GET /v1/%2e%2e/marker HTTP/1.1",
            "GET /v1/a%2fmarker HTTP/1.1",
            "GET /marker%00 HTTP/1.1",
            "GET /v1\\marker HTTP/1.1",
            "GET /" + "marker".repeat(2_000) + " HTTP/1.1",
            "GET http://marker/v1/session HTTP/1.1",
            "CONNECT marker HTTP/1.1",
            "<script>marker HTTP/1.1")) {
      String answer = raw(line, "Host: localhost", "Connection: close");
      assertTrue(answer.matches("(?s)HTTP/1.1 4\\d\\d .*"), answer);
      assertFalse(answer.contains("marker"), answer);
      assertFalse(answer.toLowerCase(java.util.Locale.ROOT).contains("jetty"), answer);
      assertTrue(answer.contains("application/problem+json"), answer);
      assertTrue(answer.contains("\"type\":\"about:blank\""), answer);
    }
  }

  @Test
  void aBodyThatEndsTooEarlyOrIsMalformedIsNoFailureOfOurs() throws IOException {
    List<LogRecord> told = new CopyOnWriteArrayList<>();
    Handler handler = listening(told);
    try {
      String path = "POST /v1/ratelimit/check HTTP/1.1";
      String type = "Content-Type: application/json";
      for (List<String> each :
          List.of(
              List.of(path, "Host: a", bearer(), type, "Content-Length: 90", "", "{"),
              List.of(path, "Host: a", bearer(), type, "Transfer-Encoding: chunked", "", "XX"),
              List.of(
                  path, "Host: a", bearer(), type, "Transfer-Encoding: chunked", "", "FFFFFFFFFF"),
              List.of(path, "Host: a", "Content-Length: 90", "", "{"))) {
        String answer = raw(each.toArray(new String[0]));
        assertFalse(answer.startsWith("HTTP/1.1 5"), answer);
      }
      assertEquals(200, server.check(server.admin()).statusCode());
    } finally {
      Logger.getLogger("").removeHandler(handler);
    }
    assertEquals(List.of(), told.stream().map(LogRecord::getMessage).toList());
  }

  @Test
  void noConnectionIsClosedUnannouncedAfterARefusal() throws IOException {
    int port = URI.create(server.url()).getPort();
    String path = "/v1/ratelimit/check";
    String type = "Content-Type: application/json";
    for (UnreadBody each : UnreadBody.values()) {
      assertEquals(401, each.post(port, path, type), each.name());
      assertEquals(401, each.post(port, path, type, "Authorization: Bearer x"), each.name());
      assertEquals(413, each.post(port, path, type, bearer()), each.name());
    }
  }

  private static Handler listening(List<LogRecord> told) {
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            if (record.getLevel().intValue() >= Level.WARNING.intValue()) {
              told.add(record);
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger.getLogger("").addHandler(handler);
    return handler;
  }

  @Test
  @SuppressWarnings("JdkObsolete") // one thread appends while another one reads
  void streamsOfEventsEndWhenTheServerStops() throws Exception {
    StringBuffer read = new StringBuffer();
    try (Socket socket = connect()) {
      String request = String.join("\r\n", "GET " + EVENTS + " HTTP/1.1", "Host: a", bearer());
      socket.getOutputStream().write((request + "\r\n\r\n").getBytes(US_ASCII));
      Thread reader =
          new Thread(
              () -> {
                try {
                  for (int next = socket.getInputStream().read();
                      next >= 0;
                      next = socket.getInputStream().read()) {
                    read.append((char) next);
                  }
                } catch (IOException closed) {
                  read.append(closed);
                }
              });
      reader.start();
      Await.until("the stream has begun", () -> read.indexOf("retry:") > 0);
      server.close();
      reader.join();
    }
    assertTrue(read.indexOf("HTTP/1.1 200") == 0, read::toString);
    assertFalse(read.indexOf("still here") > 0, "it didn't wait for the stream's own end");
  }
}
