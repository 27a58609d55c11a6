package io.weir.compat.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.example.Logins.Login;
import io.weir.seeds.Seeds;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * Guesses passwords, and counts how many the example compares: no more than the limits of {@code
 * LimitedLogin} promise. Afterwards the owner gets in. Long builds send 10,000 guesses.
 */
interface GuessingTests extends ServedExample {
  /** By {@code login-user}: of an account from one address in a minute. */
  int OF_CALLER = 5;

  /** By {@code login-ip}, in a minute. */
  int OF_ADDRESS = 20;

  /** Answers 401 in an hour, after which {@code login-ip} bans an address. */
  int BANNED_AFTER = 50;

  /** By {@code login-account}, in an hour. */
  int OF_ACCOUNT = 100;

  String OWNER = "192.0.2.77";

  /** Returns how many passwords the example has compared since it was started. */
  long compared();

  private Logins logins() {
    return new Logins(api().uri());
  }

  private static void tell(String attack, int guesses, long compared, Map<Integer, Integer> all) {
    System.out.printf(
        Locale.ROOT,
        "guessing: %s: %,d guesses, %,d passwords compared, statuses %s%n",
        attack,
        guesses,
        compared,
        all);
  }

  /** Expects a refusal with the time to wait, waits, and expects that the same login succeeds. */
  private void succeedsAsPromised(Login login) {
    HttpResponse<String> refused = logins().send(login);
    assertEquals(429, refused.statusCode(), refused::body);
    api().passSeconds(Long.parseLong(refused.headers().firstValue("Retry-After").orElseThrow()));
    assertEquals(200, logins().send(login).statusCode());
  }

  @Test
  default void guessesFromManyAddressesAtOneAccount() {
    int addresses = Seeds.deep() ? 1_000 : 50;
    int guesses = 10 * addresses;
    long before = compared();
    Map<Integer, Integer> statuses =
        logins()
            .sendAll(
                guesses,
                i -> {
                  int caller = i % addresses;
                  String address = "198.51." + caller / 250 + "." + (1 + caller % 250);
                  return i % 2 == 0
                      ? Login.form(address, "Eve", "guess" + i)
                      : Login.json(address, "eve", "guess" + i);
                });
    long compared = compared() - before;
    tell(addresses + " addresses, one account", guesses, compared, statuses);
    assertTrue(compared > 0 && compared <= OF_ACCOUNT, () -> compared + " of " + statuses);
    assertEquals(Map.of(401, (int) compared, 429, guesses - (int) compared), statuses);
    assertEquals(200, logins().send(Login.form(OWNER, "ann", "ann")).statusCode(), "another one");
    succeedsAsPromised(Login.form(OWNER, "eve", "eve"));
  }

  /** In the third minute the address is banned, for an hour. */
  @Test
  default void guessesFromOneAddressAtManyAccounts() {
    int minutes = 10;
    int accounts = Seeds.deep() ? 1_000 : 50;
    String guesser = "198.51.100.1";
    Map<Integer, Integer> statuses = new TreeMap<>();
    long before = compared();
    for (int minute = 0; minute < minutes; minute++) {
      long soFar = compared();
      logins()
          .sendAll(
              accounts,
              i -> {
                String user = "user" + i;
                return i % 2 == 0
                    ? Login.form(guesser, user, "guess")
                    : Login.json(guesser, user, "guess");
              })
          .forEach((status, count) -> statuses.merge(status, count, Integer::sum));
      assertTrue(compared() - soFar <= OF_ADDRESS, () -> "in a minute: " + statuses);
      api().passSeconds(61); // the window, and a slot of it
    }
    int guesses = minutes * accounts;
    int compared = (int) (compared() - before);
    tell("one address, " + accounts + " accounts, 10 minutes", guesses, compared, statuses);
    assertTrue(compared >= BANNED_AFTER, statuses::toString);
    // Guesses that are answered before a strike has been counted pass: the third minute, mostly.
    assertTrue(compared <= 4 * OF_ADDRESS, () -> "it isn't banned: " + statuses);
    assertEquals(Map.of(401, compared, 429, guesses - compared), statuses);
    assertEquals(200, logins().send(Login.form(OWNER, "user1", "user1")).statusCode());
    succeedsAsPromised(Login.form(guesser, "user1", "user1"));
  }

  /** Those that wait for their body hold the permits of their address. Nobody else waits. */
  @Test
  default void slowBodiesCompareNothingAndHoldNobodyUp() throws IOException {
    int sent = OF_ADDRESS + 5;
    long before = compared();
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < sent; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), api().uri().getPort());
        sockets.add(socket);
        socket.setSoTimeout(60_000);
        write(
            socket,
            "POST /api/login HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "X-Forwarded-For: 198.51.100.2\r\nContent-Type: "
                + Logins.FORM
                + "\r\nContent-Length: 5000\r\n\r\nu");
      }
      List<Socket> answered = awaitAnswers(sockets, sent - OF_ADDRESS);
      for (Socket each : answered) {
        assertEquals(429, status(each));
      }
      sockets.removeAll(answered);
      assertEquals(200, logins().send(Login.form(OWNER, "eve", "eve")).statusCode());
      dripUntilAnswered(sockets);
      for (Socket each : sockets) {
        assertEquals(408, status(each));
      }
      tell("slow bodies", sent, compared() - before - 1, Map.of(408, OF_ADDRESS, 429, 5));
      assertEquals(1, compared() - before, "the owner's alone");
      Login charged = Login.form("198.51.100.2", "eve", "eve");
      assertEquals(200, logins().send(charged).statusCode(), "they are charged nowhere");
    } finally {
      for (Socket each : sockets) {
        each.close();
      }
    }
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Sends a byte every six seconds of the example's clock, as long as a body is awaited. */
  private void dripUntilAnswered(List<Socket> sockets) throws IOException {
    List<Socket> waiting = new ArrayList<>(sockets);
    for (int i = 0; i < 60 && !waiting.isEmpty(); i++) {
      api().passSeconds(6);
      for (Socket each : waiting) {
        write(each, "s");
      }
      for (int wait = 0; wait < 100 && !waiting.isEmpty(); wait++) {
        LockSupport.parkNanos(10_000_000);
        waiting.removeAll(answered(waiting));
      }
    }
  }

  private static List<Socket> answered(List<Socket> sockets) throws IOException {
    List<Socket> answered = new ArrayList<>();
    for (Socket each : sockets) {
      if (each.getInputStream().available() > 0) {
        answered.add(each);
      }
    }
    return answered;
  }

  /** Waits until so many have an answer. */
  private static List<Socket> awaitAnswers(List<Socket> sockets, int count) throws IOException {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < 60_000_000_000L) {
      List<Socket> answered = answered(sockets);
      if (answered.size() >= count) {
        return answered;
      }
      LockSupport.parkNanos(10_000_000);
    }
    throw new AssertionError("too few of the slow bodies were refused");
  }

  /** Reads the status of an answer: {@code HTTP/1.1 408}. */
  private static int status(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    String line = new String(in.readNBytes(12), StandardCharsets.ISO_8859_1);
    return Integer.parseInt(line.substring(9));
  }

  /** Bodies that Weir and the example might read in two ways are refused, and charged nowhere. */
  @Test
  default void doubledFieldsCompareNothing() {
    String guesser = "198.51.100.3";
    List<Login> doubled =
        List.of(
            new Login(guesser, "", Logins.FORM, "user=ann&user=eve&password=guess"),
            new Login(guesser, "", Logins.FORM, "user=eve&us%65r=eve&password=guess"),
            new Login(guesser, "?user=ann", Logins.FORM, "user=eve&password=guess"),
            new Login(guesser, "", Logins.JSON, "{\"user\":\"ann\",\"user\":\"eve\"}"),
            new Login(guesser, "", Logins.JSON, "{\"user\":\"ann\",\"\\u0075ser\":\"eve\"}"),
            new Login(guesser, "", Logins.JSON, "{\"User\":\"ann\",\"user\":\"eve\"}"),
            new Login(guesser, "", Logins.JSON, "{\"user\":[\"eve\"],\"password\":\"guess\"}"),
            new Login(guesser, "", Logins.JSON, "{\"user\":\"eve\""),
            new Login(guesser, "?user=ann", Logins.JSON, "{\"user\":\"eve\"}"),
            new Login(guesser, "", Logins.FORM, "user=%zz&password=guess"));
    long before = compared();
    for (Login each : doubled) {
      HttpResponse<String> response = logins().send(each);
      assertEquals(400, response.statusCode(), () -> each + ": " + response.body());
    }
    tell("doubled fields", doubled.size(), compared() - before, Map.of(400, doubled.size()));
    assertEquals(before, compared());
    for (int i = 0; i < OF_CALLER; i++) {
      assertEquals(401, logins().send(Login.form(guesser, "eve", "guess")).statusCode());
    }
  }

  @Test
  default void oneAccountIsOneInAllItsSpellings() {
    String guesser = "198.51.100.4";
    List<Login> spellings =
        List.of(
            Login.form(guesser, "z\u00f6e", "guess"),
            Login.form(guesser, "z%C3%B6e", "guess"),
            Login.form(guesser, "%5A%C3%96%45", "guess"),
            Login.form(guesser, "zo%CC%88e", "guess"),
            new Login(guesser, "", Logins.FORM, "password=guess&us%65r=z%C3%B6e"),
            new Login(guesser, "", Logins.FORM + ";charset=iso-8859-1", "user=z%F6e&password=x"),
            new Login(guesser, "?user=z%C3%B6e", Logins.FORM, "password=guess"),
            Login.json(guesser, "z\u00f6e", "guess"),
            Login.json(guesser, "Z\\u00D6e", "guess"),
            Login.json(guesser, "zo\\u0308e", "guess"),
            new Login(guesser, "", Logins.JSON, "{\"\\u0075ser\": \"z\\u00f6e\"}"),
            new Login(guesser, "", Logins.JSON + ";charset=utf-8", "{\"user\":\"z\u00f6e\"}"));
    long before = compared();
    Map<Integer, Integer> statuses = new TreeMap<>();
    for (int i = 0; i < spellings.size(); i++) {
      Login each = spellings.get(i);
      HttpResponse<String> response = logins().send(each);
      // Spring takes all forms for UTF-8, so one in another charset is malformed.
      List<Integer> expected = i < OF_CALLER ? List.of(401) : List.of(400, 429);
      assertTrue(
          expected.contains(response.statusCode()),
          () -> each + ": " + response.statusCode() + " " + response.body());
      statuses.merge(response.statusCode(), 1, Integer::sum);
    }
    tell("spellings of one account", spellings.size(), compared() - before, statuses);
    assertEquals(OF_CALLER, compared() - before);
  }
}
