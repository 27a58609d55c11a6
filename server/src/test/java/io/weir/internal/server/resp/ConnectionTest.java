package io.weir.internal.server.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.redis.Await;
import io.weir.internal.server.access.Authenticator;
import io.weir.internal.server.access.Identity;
import io.weir.internal.server.access.Role;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Tests sign-ins and misbehaving clients. */
class ConnectionTest {
  private static final String NOAUTH = "-NOAUTH Authentication required.";
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Duration SHORT = Duration.ofMillis(300);

  private static Served served(boolean open, RespLimits limits) {
    return Served.on("inprocess:here", Map.of(), open, limits);
  }

  @Test
  void nothingIsToBeHadBeforeASignIn() {
    try (Served served = Served.closed();
        RespLine line = served.connect()) {
      for (String each : List.of("PING", "COMMAND", "INFO", "NOTHING", "RL.GET")) {
        assertEquals(NOAUTH, line.ask(each));
      }
      assertTrue(line.ask("HELLO", "3").startsWith("-NOAUTH "));
      assertTrue(line.ask("AUTH", "invented").startsWith("-WRONGPASS "));
      assertTrue(line.ask("AUTH", Served.USER_TOKEN).startsWith("-WRONGPASS "));
      assertTrue(line.ask("HELLO", "3", "AUTH", "default", "invented").startsWith("-WRONGPASS "));
      assertEquals(NOAUTH, line.ask("PING"));
      assertEquals("OK", line.ask("AUTH", Served.TOKEN));
      assertEquals("PONG", line.ask("PING"));
      assertTrue(line.ask("AUTH", "invented").startsWith("-WRONGPASS "));
      assertEquals("PONG", line.ask("PING"));
      assertEquals("RESET", line.ask("RESET"));
      assertEquals(NOAUTH, line.ask("PING"));
      assertEquals("OK", line.ask("AUTH", "anybody", Served.TOKEN));
      assertEquals("PONG", line.ask("PING"));
    }
  }

  @Test
  void helloBringsTheTokenAlong() {
    try (Served served = Served.closed();
        RespLine line = served.connect()) {
      assertTrue(line.ask("HELLO", "3", "AUTH", "default", Served.TOKEN).startsWith("%[server, "));
      assertEquals("2", line.ask("RL.REDUCE", "a", "2", "60"));
    }
  }

  @Test
  void aRevokedTokenEndsTheRightsOfItsConnections() {
    try (Served served = Served.closed();
        RespLine line = served.connect()) {
      assertEquals("OK", line.ask("AUTH", Served.TOKEN));
      assertEquals("PONG", line.ask("PING"));
      served.tokens.remove(Served.TOKEN);
      assertEquals(NOAUTH, line.ask("PING"));
      served.tokens.put(Served.TOKEN, Role.ADMIN); // which may check as well
      assertEquals("PONG", line.ask("PING"));
    }
  }

  @Test
  void strangersSendLittle() {
    try (Served served = Served.closed()) {
      assertEndsWith(served, "*11\r\n", "-ERR Protocol error: invalid multibulk length");
      assertEndsWith(served, "*2\r\n$20000\r\n", "-ERR Protocol error: invalid bulk length");
      assertEndsWith(served, "x".repeat(17_000), "-ERR Protocol error: too big inline request");
      try (RespLine line = served.connect()) {
        line.send("*2\r\n$4\r\nAUTH\r\n$16000\r\n" + "x".repeat(16_000) + "\r\n");
        assertTrue(line.read().startsWith("-WRONGPASS"));
      }
    }
  }

  private static void assertEndsWith(Served served, String sent, String reply) {
    try (RespLine line = served.connect()) {
      line.send(sent);
      assertEquals(reply, line.read());
      assertTrue(line.isClosed());
    }
  }

  @Test
  void whatIsNoCommandEndsTheConnection() {
    try (Served served = Served.open()) {
      String error = "-ERR Protocol error: ";
      assertEndsWith(served, "*1\r\n*1\r\n", error + "expected '$'");
      assertEndsWith(served, "*x\r\n", error + "invalid multibulk length");
      assertEndsWith(served, "*1025\r\n", error + "invalid multibulk length");
      assertEndsWith(served, "*99999999999999\r\n", error + "invalid multibulk length");
      assertEndsWith(served, "*1\r\n$-1\r\n", error + "invalid bulk length");
      assertEndsWith(served, "*1\r\n$-4294967295\r\nx\r\n", error + "invalid bulk length");
      assertEndsWith(served, "*1\r\n$65537\r\n", error + "invalid bulk length");
      assertEndsWith(served, "*1\r\n$99999999999\r\n", error + "invalid bulk length");
      assertEndsWith(
          served,
          "*1\r\n$4\r\nPINGxx",
          error + "a bulk string is longer than its announced length");
      assertEndsWith(served, "ECHO \"a\r\n", error + "unbalanced quotes in request");
    }
  }

  @Test
  void commandsOfNoWordsAskForNothing() {
    try (Served served = Served.open();
        RespLine line = served.connect()) {
      line.send("*0\r\n*-1\r\n*-4294967295\r\nPING\r\n");
      assertEquals("PONG", line.read());
    }
  }

  @Test
  void formsOfBrowsersAreNotExecuted() {
    try (Served served = Served.open()) {
      for (String sent :
          List.of(
              "POST / HTTP/1.1\r\nHost: a\r\n\r\nRL.REDUCE victim 1 60\r\n",
              "host: a\r\nRL.REDUCE victim 1 60\r\n")) {
        try (RespLine line = served.connect()) {
          line.send(sent);
          assertTrue(line.isClosed());
        }
      }
      try (RespLine line = served.connect()) {
        assertEquals("1", line.ask("RL.GET", "victim", "1", "60"));
      }
    }
  }

  @Test
  void linesAreForPeople() {
    try (Served served = Served.open();
        RespLine line = served.connect()) {
      line.send("PING\r\n\r\necho \"a b\\x41\\n\"\necho 'it\\'s'\r\nRL.REDUCE inline 2 60\r\n");
      assertEquals("PONG", line.read());
      assertEquals("a bA\n", line.read());
      assertEquals("it's", line.read());
      assertEquals("2", line.read());
    }
  }

  @Test
  void pipelinesAreAnsweredInOrder() {
    try (Served served = Served.open();
        RespLine line = served.connect()) {
      for (int round = 0; round < 50; round++) {
        ByteArrayOutputStream sixteen = new ByteArrayOutputStream();
        for (int i = 0; i < 16; i++) {
          sixteen.writeBytes(RespLine.command("RL.REDUCE", "pipe", "1000", "3600"));
        }
        line.send(sixteen.toByteArray());
        for (int i = 0; i < 16; i++) {
          assertEquals(Integer.toString(1_000 - 16 * round - i), line.read());
        }
      }
    }
  }

  @Test
  void halfACommandTimesOut() {
    RespLimits limits = new RespLimits(100, 100, SHORT, LONG, LONG, SHORT);
    try (Served served = served(true, limits);
        RespLine half = served.connect();
        RespLine idle = served.connect()) {
      half.send("*2\r\n$4\r\nECHO\r\n$5\r\nhel");
      assertTrue(half.isClosed());
      assertEquals("PONG", idle.ask("PING")); // who has sent nothing may stay
    }
  }

  @Test
  void strangersDoNotStay() {
    RespLimits limits = new RespLimits(100, 100, LONG, SHORT, LONG, SHORT);
    try (Served served = served(false, limits);
        RespLine known = signedIn(served);
        RespLine stranger = served.connect()) {
      assertTrue(stranger.isClosed());
      assertEquals("PONG", known.ask("PING"));
    }
  }

  /** Signs in before the server takes the connection for a stranger's, at one of some tries. */
  private static RespLine signedIn(Served served) {
    for (int i = 0; i < 100; i++) {
      RespLine line = served.connect();
      if (signsIn(line)) {
        return line;
      }
      line.close();
    }
    throw new AssertionError("no sign-in is in time");
  }

  private static boolean signsIn(RespLine line) {
    try {
      return line.ask("AUTH", Served.TOKEN).equals("OK");
    } catch (UncheckedIOException late) {
      return false;
    }
  }

  @Test
  void aFloodOfConnectionsLeavesTheOthersAlone() {
    RespLimits limits = RespLimits.DEFAULT.withConnections(20);
    try (Served served = served(true, limits)) {
      List<RespLine> lines = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        lines.add(served.connect());
        assertEquals("PONG", lines.get(i).ask("PING"));
      }
      for (int i = 0; i < 200; i++) {
        try (RespLine refused = served.connect()) {
          assertEquals("-ERR max number of clients reached", refused.read());
          assertTrue(refused.isClosed());
        }
      }
      lines.forEach(each -> assertEquals("PONG", each.ask("PING")));
      lines.get(0).close();
      while (served.server.connections() >= 20) {
        Thread.onSpinWait();
      }
      try (RespLine next = served.connect()) {
        assertEquals("PONG", next.ask("PING"));
      }
      lines.forEach(RespLine::close);
    }
  }

  /** Replies of 100 MB and more, of which none is read: the server stops reading. */
  @Test
  void aSlowReaderIsNotReadFrom() throws Exception {
    RespLimits limits = new RespLimits(100, 100, LONG, LONG, Duration.ofSeconds(2), SHORT);
    try (Served served = served(true, limits);
        RespLine slow = served.connect();
        RespLine other = served.connect()) {
      ByteArrayOutputStream many = new ByteArrayOutputStream();
      for (int i = 0; i < 1_000; i++) {
        many.writeBytes(RespLine.command("COMMAND"));
      }
      Thread sender =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < 200; i++) {
                    slow.socket.getOutputStream().write(many.toByteArray());
                  }
                } catch (SocketException closed) {
                  // as is hoped for
                } catch (IOException odd) {
                  throw new UncheckedIOException(odd);
                }
              });
      sender.start();
      while (served.server.connections() == 2) {
        assertEquals("PONG", other.ask("PING"));
        LockSupport.parkNanos(5_000_000);
      }
      sender.join();
      assertEquals("PONG", other.ask("PING"));
    }
  }

  @Test
  void oneAddressHasSoManyConnectionsAndOthersAreServed() throws IOException {
    RespLimits limits = RespLimits.DEFAULT.withAddressConnections(5);
    try (Served served = Served.on("inprocess:here", Map.of(), true, limits)) {
      List<RespLine> all = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        RespLine line = served.connect();
        assertEquals("PONG", line.ask("PING"));
        all.add(line);
      }
      try (RespLine refused = served.connect();
          Socket elsewhere =
              new Socket(
                  InetAddress.getLoopbackAddress(),
                  served.port(),
                  InetAddress.getByName("127.0.0.2"),
                  0)) {
        assertEquals("-ERR max number of clients reached", refused.read());
        elsewhere.setSoTimeout(120_000);
        elsewhere.getOutputStream().write(RespLine.command("PING"));
        assertEquals('+', elsewhere.getInputStream().read());
      }
      all.remove(0).close();
      String answer = "";
      while (!answer.equals("PONG")) { // until the server has seen the end of that one
        try (RespLine next = served.connect()) {
          answer = next.ask("PING");
        }
      }
      all.forEach(RespLine::close);
    }
  }

  @Test
  void whoReadsSlowlyIsAnsweredInFull() {
    try (Served served = Served.open();
        RespLine slow = served.connect()) {
      ByteArrayOutputStream many = new ByteArrayOutputStream();
      for (int i = 0; i < 3_000; i++) {
        many.writeBytes(RespLine.command("COMMAND"));
        many.writeBytes(RespLine.command("ECHO", Integer.toString(i)));
      }
      Thread sender = new Thread(() -> slow.send(many.toByteArray()));
      sender.start();
      for (int i = 0; i < 3_000; i++) {
        assertTrue(slow.read().startsWith("[[rl.reduce"));
        assertEquals(Integer.toString(i), slow.read());
      }
    }
  }

  /** As a shell does: {@code printf 'RL.REDUCE a 2 60\r\n' | nc localhost 9049}. */
  @Test
  void whoSendsNothingMoreGetsWhatIsStillToCome() {
    LateBuckets buckets = new LateBuckets();
    try (RespServer server =
            RespServer.builder(new NothingLimits(), buckets).open(true).threads(1).start();
        RespLine half = new RespLine(server.port());
        RespLine other = new RespLine(server.port())) {
      half.send("RL.REDUCE a 2 60\r\nPING\r\nRL.REDUCE b 3 60\r\nhalf a comm");
      half.endOutput();
      for (int i = 0; i < 3; i++) {
        assertEquals("PONG", other.ask("PING")); // so the end has been seen by the only thread
      }
      buckets.reply(new Random(1), 2);
      assertEquals("2", half.read());
      assertEquals("PONG", half.read());
      assertEquals("3", half.read());
      assertTrue(half.isClosed());
      assertEquals("PONG", other.ask("PING"));
    }
  }

  @Test
  void whatWasReadIsAnsweredWhenTheServerCloses() {
    try (Served served = Served.open();
        RespLine line = served.connect()) {
      assertEquals("PONG", line.ask("PING"));
      served.server.close();
      assertTrue(line.isClosed());
    }
  }

  /** Also commands that the machine has received and the only thread hasn't read. */
  @Test
  void whatWasReceivedIsAnsweredWhenTheServerCloses() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Authenticator holding =
        token -> {
          if (token.equals("hold")) {
            held.countDown();
            await(goOn);
          }
          return Optional.of(new Identity(Set.of(Role.CHECK), Optional.empty()));
        };
    try (RespServer server =
            RespServer.builder(new NothingLimits(), new LateBuckets())
                .authenticator(holding)
                .threads(1)
                .start();
        RespLine first = new RespLine(server.port());
        RespLine line = new RespLine(server.port())) {
      assertEquals("OK", line.ask("AUTH", Served.TOKEN));
      first.send(RespLine.command("AUTH", "hold"));
      held.await();
      int commands = 5_000;
      line.send("PING\r\n".repeat(commands));
      Thread closing = new Thread(server::close);
      closing.start();
      Await.until("it closes", () -> closing.getState() == Thread.State.WAITING);
      goOn.countDown();
      for (int i = 0; i < commands; i++) {
        assertEquals("PONG", line.read(), () -> "a reply is lost");
      }
      assertTrue(line.isClosed());
      assertEquals("OK", first.read());
      closing.join();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }
}
