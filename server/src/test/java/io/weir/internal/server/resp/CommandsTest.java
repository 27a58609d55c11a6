package io.weir.internal.server.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.testkit.FakeTicker;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests each command over a plain connection. */
class CommandsTest {
  private static final String NOT_INTEGER = "-ERR Value is not an integer or out of range";
  private static final String SYNTAX = "-ERR Syntax error";

  private static Served served;
  private RespLine line;

  @BeforeAll
  static void start() {
    served = Served.open(new FakeTicker()); // so that no second goes by between two commands
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  @BeforeEach
  void connect() {
    line = served.connect();
  }

  @AfterEach
  void disconnect() {
    line.close();
  }

  private String ask(String words) {
    return line.ask(words.split(" ", -1));
  }

  @Test
  void twoPerMinute() {
    assertEquals("2", ask("RL.REDUCE TwoPerMin 2 60"));
    assertEquals("1", ask("rl.reduce TwoPerMin 2 60"));
    assertEquals("0", ask("Rl.Reduce TwoPerMin 2 60"));
  }

  @Test
  void secondsAndMillisecondsMeet() {
    assertEquals("5", ask("RL.REDUCE meet 5 60 TAKE 2"));
    assertEquals("3", ask("RL.PREDUCE meet 5 60000"));
    assertEquals("2", ask("RL.PGET meet 5 60000"));
    assertEquals("2", ask("RL.GET meet 5 60"));
    assertEquals("5", ask("RL.GET meet 5 61"));
    assertEquals("6", ask("RL.GET meet 6 60"));
    assertEquals("5", ask("RL.GET meet 5 60 REFILL 4"));
    assertEquals("2", ask("RL.GET meet 5 60 refill 5"));
  }

  @Test
  void optionsComeInAnyCaseAndOrder() {
    assertEquals("10", ask("RL.REDUCE options 10 60 at 1000 TAKE 4 Strict refill 3"));
    assertEquals("6", ask("RL.REDUCE options 10 60 refill 3 take 0 AT 1059"));
    assertEquals("9", ask("RL.REDUCE options 10 60 REFILL 3 AT 1060 TAKE 0"));
    assertEquals("6", ask("RL.PGET options 10 60000 REFILL 3 AT 1059999"));
  }

  @Test
  void sessionsBeginWithTheLastGrant() {
    assertEquals("[1, 7000000]", ask("RL.SESSIONIZE session 1 10 AT 7000"));
    assertEquals("[0, 7000000]", ask("RL.SESSIONIZE session 1 10 AT 7009"));
    assertEquals("[0, 7000000]", ask("RL.PSESSIONIZE session 1 10000 AT 7018999"));
    assertEquals("[1, 7029000]", ask("RL.PSESSIONIZE session 1 10000 AT 7029000"));
  }

  @Test
  void whatIsNoNumberIsRefused() {
    for (String words :
        List.of(
            "RL.REDUCE k 0 60",
            "RL.REDUCE k 2 0",
            "RL.REDUCE k -1 60",
            "RL.REDUCE k 2 60 REFILL 0",
            "RL.REDUCE k 2 60 TAKE -1",
            "RL.REDUCE k 2 60 AT -1",
            "RL.REDUCE k two 60",
            "RL.REDUCE k 2 6.5",
            "RL.REDUCE k 2 ",
            "RL.REDUCE k  60",
            "RL.REDUCE k - 60",
            "RL.REDUCE k +2 60",
            "RL.REDUCE k 9223372036854775808 60",
            "RL.REDUCE k 99999999999999999999 60",
            "RL.REDUCE k 4503599627370497 60",
            "RL.REDUCE k 2 4503599627371",
            "CL.THROTTLE k -1 30 60",
            "CL.THROTTLE k 15 0 60",
            "CL.THROTTLE k 15 30 0",
            "CL.THROTTLE k 15 30 60 -1",
            "CL.THROTTLE k 1000000000 1 1000000000")) {
      assertEquals(NOT_INTEGER, ask(words), words);
    }
  }

  @Test
  void whatIsNoOptionIsRefused() {
    for (String words :
        List.of(
            "RL.GET k 2 60 TAKE 1",
            "RL.REDUCE k 2 60 TAKE",
            "RL.REDUCE k 2 60 TAKE 1 TAKE 1",
            "RL.REDUCE k 2 60 LOOK 1",
            "RL.REDUCE k 2 60 STRICT STRICT",
            "RL.REDUCE k 2 60 STRICT 1",
            "WEIR.CHECK alice /api METHOD",
            "WEIR.CHECK alice /api COLOUR red",
            "WEIR.CHECK alice /api COST 1 COST 2",
            "WEIR.CHECK alice /api ATTR header:A",
            "HELLO 3 AUTH default",
            "HELLO 3 COLOUR red")) {
      assertEquals(SYNTAX, ask(words), words);
    }
  }

  @Test
  void theNumberOfArgumentsCounts() {
    for (String words :
        List.of(
            "RL.REDUCE k 2",
            "RL.GET k 2 60 REFILL 1 AT 1 STRICT AT 1",
            "CL.THROTTLE k 1 2",
            "CL.THROTTLE k 1 2 3 4 5",
            "WEIR.CHECK alice",
            "ECHO",
            "PING a b",
            "RESET now",
            "SELECT")) {
      String name = words.split(" ", -1)[0].toLowerCase(Locale.ROOT);
      assertEquals("-ERR Wrong number of arguments for '" + name + "' command", ask(words));
    }
  }

  @Test
  void cellsComeAsTheyAreThrottled() {
    assertEquals("[0, 16, 15, -1, 2]", ask("CL.THROTTLE throttle 15 30 60"));
    assertEquals("[0, 16, 5, -1, 22]", ask("CL.THROTTLE throttle 15 30 60 10"));
    assertEquals("[0, 16, 5, -1, 22]", ask("CL.THROTTLE throttle 15 30 60 0"));
    assertEquals("[1, 16, 5, 2, 22]", ask("CL.THROTTLE throttle 15 30 60 6"));
    assertEquals("[1, 16, 5, -1, 22]", ask("CL.THROTTLE throttle 15 30 60 17"));
    assertEquals("[1, 16, 16, -1, 0]", ask("CL.THROTTLE other 15 30 60 17"));
  }

  @Test
  void theTwoFamiliesShareNothing() {
    assertEquals("2", ask("RL.REDUCE family 2 60"));
    assertEquals("[0, 3, 2, -1, 30]", ask("CL.THROTTLE family 2 2 60"));
    assertEquals("1", ask("RL.GET family 2 60"));
  }

  @Test
  void checksAreMadeByTheLimiter() {
    String no = "[1, 2147483647, 2147483647, -1, 0]";
    assertEquals(no, ask("WEIR.CHECK alice /none"));
    assertTrue(ask("WEIR.CHECK alice /api/thing IP 10.0.0.1").startsWith("[1, 3, 2, -1, "));
    assertTrue(ask("WEIR.CHECK alice /api//thing/ IP 10.0.0.1").startsWith("[1, 3, 1, -1, "));
    assertTrue(
        ask("WEIR.CHECK alice /api;v=1/t%68ing?x=1 IP 10.0.0.1 METHOD post")
            .startsWith("[1, 3, 0, -1, "));
    String refused = ask("WEIR.CHECK alice /api/thing IP 10.0.0.1");
    assertTrue(refused.startsWith("[0, 3, 0, "), refused);
    assertTrue(ask("WEIR.CHECK bob /api/thing IP 10.0.0.2 COST 3").startsWith("[1, 3, 0, -1, "));
    String never = ask("WEIR.CHECK cy /api/thing IP 10.0.0.3 COST 4");
    assertTrue(never.startsWith("[0, 3, 3, -1, "), never);
  }

  @Test
  void badChecksSayWhatIsWrong() {
    assertTrue(line.ask("WEIR.CHECK", "", "/api").startsWith("-ERR userId"));
    assertTrue(ask("WEIR.CHECK alice api").startsWith("-ERR endpoint"));
    assertTrue(ask("WEIR.CHECK alice /%zz").startsWith("-ERR endpoint"));
    assertTrue(ask("WEIR.CHECK alice /api/./thing").startsWith("-ERR endpoint"));
    assertTrue(ask("WEIR.CHECK alice /api IP here").startsWith("-ERR ip"));
    assertTrue(ask("WEIR.CHECK alice /api APIKEY k").startsWith("-ERR apiKey"));
    assertTrue(ask("WEIR.CHECK alice /api ATTR a b").startsWith("-ERR attributes"));
    assertEquals(NOT_INTEGER, ask("WEIR.CHECK alice /api COST 0"));
    assertTrue(ask("WEIR.CHECK alice /api ATTR header:X 1 ATTR query:q 2").startsWith("[1, "));
  }

  @Test
  void smallTalk() {
    assertEquals("PONG", ask("PING"));
    assertEquals("hello", ask("PING hello"));
    assertEquals("hello", ask("ECHO hello"));
    assertEquals("OK", ask("SELECT 0"));
    assertEquals("-ERR DB index is out of range", ask("SELECT 1"));
    assertEquals("(nil)", ask("CLIENT GETNAME"));
    assertEquals("OK", ask("CLIENT SETNAME worker"));
    assertEquals("worker", ask("CLIENT GETNAME"));
    assertEquals("OK", ask("CLIENT SETINFO LIB-NAME mine"));
    assertTrue(ask("CLIENT INFO").contains("name=worker"));
    assertTrue(Long.parseLong(ask("CLIENT ID")) > 0);
    assertEquals("-ERR unknown subcommand 'kill'", ask("CLIENT KILL"));
    assertTrue(ask("INFO").contains("redis_version:"));
    assertEquals("[save, ]", ask("CONFIG GET save"));
    assertEquals("[]", ask("CONFIG GET maxmemory"));
    assertEquals("19", ask("COMMAND COUNT"));
    assertTrue(ask("COMMAND").contains("rl.reduce, -4, [fast], 1, 1, 1"));
    assertEquals("[(nil)]", ask("COMMAND INFO nothing"));
    assertTrue(ask("COMMAND DOCS cl.throttle").startsWith("[cl.throttle, [group"));
    assertEquals("RESET", ask("RESET"));
    assertEquals("(nil)", ask("CLIENT GETNAME"));
    assertEquals("OK", ask("QUIT"));
    assertTrue(line.isClosed());
  }

  @Test
  void theVersionOfTheProtocolIsChosen() {
    assertTrue(ask("HELLO").startsWith("[server, weir, version, "));
    assertEquals("-NOPROTO unsupported protocol version", ask("HELLO 4"));
    assertEquals("-NOPROTO unsupported protocol version", ask("HELLO x"));
    assertTrue(ask("HELLO 3 SETNAME me").startsWith("%[server, weir, version, "));
    assertEquals("me", ask("CLIENT GETNAME"));
    assertEquals("%[save, ]", ask("CONFIG GET save"));
    assertTrue(ask("HELLO 2").startsWith("[server, weir, version, "));
  }

  @Test
  void whatIsUnknownIsNamedWithoutLineBreaks() {
    assertEquals("-ERR unknown command 'GET'", ask("GET a"));
    assertEquals("-ERR unknown command 'a??-ERR b'", line.ask("a\r\n-ERR b"));
    assertEquals("-ERR unknown command 'SADD'", ask("SADD"));
    assertEquals("PONG", ask("PING"));
  }
}
