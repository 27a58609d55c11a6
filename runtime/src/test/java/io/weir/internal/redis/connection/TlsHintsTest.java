package io.weir.internal.redis.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.internal.redis.address.HostAndPort;
import io.weir.internal.redis.address.Login;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Protocol.Command;

/** TLS is suggested where that may be why a server doesn't answer. */
class TlsHintsTest {
  private static final String PONG = "+PONG\r\n";

  /** The answer of a Redis with TLS to a connection without: nothing. */
  private static final String RESET = "reset";

  private static final String END = "";
  private static final String ALERT = "\u0015\u0003\u0003\u0000\u0002\u0002F"; // protocol_version
  private static final String ERROR = "-ERR unknown command\r\n";

  private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
  private final ConnectDeadlines deadlines = new ConnectDeadlines(watch, Ticker.system());
  private final ConnectionFactory plain = factory(false);
  private final ConnectionFactory encrypted = factory(true);

  /** An answer to what comes first on each connection, and to all that follows on it. */
  private final Queue<String> answers = new ConcurrentLinkedQueue<>();

  private ServerSocket server;

  private ConnectionFactory factory(boolean tls) {
    return new ConnectionFactory(
        new SocketOpener(
            tls
                ? Optional.of(() -> (SSLSocketFactory) SSLSocketFactory.getDefault())
                : Optional.empty(),
            false,
            60_000,
            60_000,
            deadlines),
        deadlines,
        watch,
        Ticker.system(),
        60_000);
  }

  @BeforeEach
  void serve() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::answer);
    thread.setDaemon(true);
    thread.start();
  }

  @AfterEach
  void close() throws IOException {
    plain.close();
    encrypted.close();
    watch.shutdownNow();
    server.close();
  }

  private void answer() {
    byte[] command = new byte[10_000];
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        socket.setSoLinger(true, RESET.equals(answers.peek()) ? 0 : 60);
        while (socket.getInputStream().read(command) >= 0 && !answers.isEmpty()) {
          String answer = answers.remove();
          if (answer.equals(RESET) || answer.equals(END)) {
            break;
          }
          socket.getOutputStream().write(answer.getBytes(US_ASCII));
        }
      } catch (IOException gone) {
        // The other side has gone.
      }
    }
  }

  private static void ping(ConnectionFactory factory, ServerSocket server) {
    HostAndPort endpoint = new HostAndPort("127.0.0.1", server.getLocalPort());
    try (RedisConnection connection =
        factory.open(endpoint, Login.NONE, 0, new ConnectLatency(Ticker.system().nanoTime()))) {
      connection.ask(Command.PING);
    }
  }

  private String failure(ConnectionFactory factory) {
    return assertThrows(ConnectionException.class, () -> ping(factory, server)).failure().text();
  }

  @ParameterizedTest
  @ValueSource(strings = {RESET, END})
  void aServerThatHasNeverAnsweredMaySpeakTls(String answer) {
    answers.add(answer);
    String text = failure(plain);
    assertTrue(
        text.endsWith(
            "; if it speaks TLS, begin weir.store with rediss:// or end it with tls=true"),
        text);
  }

  @ParameterizedTest
  @ValueSource(strings = {RESET, END})
  void oneThatHasAnsweredDoesNot(String answer) {
    answers.add(PONG);
    ping(plain, server);
    answers.add(answer);
    String text = failure(plain);
    assertFalse(text.contains("TLS"), text);
  }

  @Test
  void norDoesOneWhoseLoginWasRefused() {
    HostAndPort endpoint = new HostAndPort("127.0.0.1", server.getLocalPort());
    answers.add("-WRONGPASS invalid username-password pair\r\n");
    assertThrows(
        ConnectionException.class,
        () -> plain.open(endpoint, new Login("joe", "wrong"), 0, new ConnectLatency(0)));
    answers.add(RESET);
    String text = failure(plain);
    assertFalse(text.contains("TLS"), text);
  }

  @Test
  void oneThatSendsSomethingElseDoesNot() {
    answers.add("HTTP/1.1 400 Bad Request\r\n\r\n");
    String text = failure(plain);
    assertTrue(text.endsWith("it sent an invalid reply"), text);
  }

  @Test
  void oneThatSendsTlsIsNamedOnce() {
    answers.add(ALERT);
    String text = failure(plain);
    assertEquals(2, text.split("rediss://", -1).length, text);
  }

  @Test
  void oneThatAnswersAHandshakeByAnErrorSpeaksNoTls() {
    answers.add(ERROR);
    String text = failure(encrypted);
    assertTrue(
        text.endsWith(
            "; if it doesn't speak TLS, begin weir.store with redis:// or leave tls=true out"),
        text);
  }

  @Test
  void oneThatRefusesAHandshakeByAnAlertSpeaksTls() {
    answers.add(ALERT);
    String text = failure(encrypted);
    assertTrue(text.contains("protocol_version") && !text.contains("redis://"), text);
  }
}
