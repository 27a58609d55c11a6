package io.weir.internal.redis.connection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.attack.Cases;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.RedisInputStream;

/** Whatever a hostile Redis sends, its reader neither breaks nor takes more room than was sent. */
class RepliesFuzzTest {
  private static final Cases CASES = new Cases("replies of a hostile Redis, bytes");
  private static final String END = "\r\n";

  private static final String[] SHARDS = {
    "*",
    "$",
    ":",
    "-",
    "+",
    "-1",
    "0",
    "1",
    "2",
    "7",
    "3000000000",
    "2147483647",
    "-2147483648",
    "9223372036854775807",
    "99999999999999999999",
    END,
    END,
    END,
    "\r",
    "\n",
    "\0",
    "OK",
    "-ERR x",
    "*1\r\n",
    "*2\r\n",
    "*-1\r\n",
    "*0\r\n",
    "$-1\r\n",
    "$0\r\n\r\n",
    "$3\r\nabc\r\n",
    ":7\r\n",
    "+OK\r\n",
    "*2147483647\r\n",
    "$2147483647\r\n",
    "$1048576\r\n",
    "*16384\r\n",
    "%1\r\n",
    "~2\r\n",
    ">3\r\n",
    "_\r\n",
    "#t\r\n",
    ",1.5\r\n",
    "(12345\r\n",
    "=5\r\ntxt:x\r\n",
    "|1\r\n",
    "!3\r\nerr\r\n",
    "-MOVED 1 :\r\n",
    "-ASK x\r\n",
    "-MOVED 99999999999 h:99999999999\r\n",
    "$?\r\n",
    ";4\r\n",
  };

  @AfterAll
  static void tell() {
    CASES.tell();
  }

  @Test
  void whatIsAnAnswerPassesUnchangedHoweverItIsCut() {
    CASES.times(
        5_000,
        random -> {
          StringBuilder sent = new StringBuilder();
          int answers = 1 + random.nextInt(4);
          for (int i = 0; i < answers; i++) {
            sent.append(random.nextInt(9) == 0 ? "-ERR no\r\n" : answer(random, 0));
          }
          RedisInputStream plain = new RedisInputStream(bytes(sent));
          RedisInputStream checked =
              new RedisInputStream(
                  new BoundedReplyStream(new Cut(bytes(sent), random)), 1 + random.nextInt(99));
          for (int i = 0; i < answers; i++) {
            assertEquals(text(read(plain)), text(read(checked)), sent.toString());
          }
        });
  }

  private static String answer(Random random, int depth) {
    return switch (random.nextInt(depth < 5 ? 5 : 3)) {
      case 0 -> ":" + random.nextLong() / 10_000 + END;
      case 1 -> {
        String text = "\r\n*$\0".substring(random.nextInt(5)).repeat(random.nextInt(9));
        yield "$" + text.length() + END + text + END;
      }
      case 2 -> Cases.one(random, "+PONG\r\n", "$-1\r\n", "*-1\r\n", "*0\r\n", "$0\r\n\r\n");
      default -> {
        StringBuilder parts = new StringBuilder();
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
          parts.append(answer(random, depth + 1));
        }
        yield "*" + count + END + parts;
      }
    };
  }

  @Test
  void whateverElseComesEndsInAnException() {
    CASES.times(
        30_000,
        random -> {
          StringBuilder sent = new StringBuilder();
          for (int shards = random.nextInt(12); shards >= 0; shards--) {
            sent.append(Cases.one(random, SHARDS));
          }
          if (random.nextInt(4) == 0) {
            sent.setCharAt(random.nextInt(sent.length()), (char) random.nextInt(256));
          }
          RedisInputStream replies = new RedisInputStream(new BoundedReplyStream(bytes(sent)));
          for (int i = 0; i < 99; i++) {
            Object read = read(replies);
            if (read instanceof RuntimeException && !(read instanceof JedisDataException)) {
              return;
            }
          }
          throw new AssertionError("no end of " + sent);
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "$2147483647\r\n",
        "$1048577\r\n",
        "*2147483647\r\n",
        "*16385\r\n",
        "$-2\r\n",
        "*-2\r\n",
        "*1\r\n-ERR nested\r\n",
        ":9999999999999999999\r\n",
        ":1x\r\n",
        ":-\r\n",
        "$\r\n",
        "$3\r\nabcd\r\n",
        "$3\r\nabc\rx",
        "+a\nb\r\n",
        "+a\rb\r\n",
        "%1\r\n+a\r\n+b\r\n",
        "HTTP/1.1 400 Bad Request\r\n\r\n",
      })
  void isNoAnswer(String sent) {
    RedisInputStream replies = new RedisInputStream(new BoundedReplyStream(bytes(sent)));
    JedisException refused = assertThrows(JedisException.class, () -> Protocol.read(replies, null));
    assertTrue(refused.getMessage().contains("it sent "), refused.getMessage());
  }

  @Test
  void goesNoDeeperThanAnswersAre() {
    String deep = "*1\r\n".repeat(BoundedReplyStream.DEEPEST);
    read(new RedisInputStream(new BoundedReplyStream(bytes(deep + ":1\r\n"))));
    RedisInputStream deeper =
        new RedisInputStream(new BoundedReplyStream(bytes("*1\r\n".repeat(100_000))));
    assertThrows(JedisConnectionException.class, () -> Protocol.read(deeper, null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"+", "-", ":1", "$", "*8\r\n*16384\r\n$9\r\n"})
  void endsWhatDoesNotEnd(String begin) {
    Endless endless = new Endless(begin);
    RedisInputStream replies = new RedisInputStream(new BoundedReplyStream(endless));
    assertThrows(JedisConnectionException.class, () -> Protocol.read(replies, null));
    assertTrue(
        endless.sent <= BoundedReplyStream.LONGEST_REPLY + 8_192,
        endless.sent + " bytes were read");
  }

  @Test
  void endsAnAnswerOfManyTexts() {
    String text = "$1000000\r\n" + "x".repeat(1_000_000) + END;
    RedisInputStream replies =
        new RedisInputStream(new BoundedReplyStream(bytes("*99\r\n" + text.repeat(9))));
    JedisException refused = assertThrows(JedisException.class, () -> Protocol.read(replies, null));
    assertTrue(refused.getMessage().contains("a reply is too long"), refused.getMessage());
  }

  /** An answer, or the exception in its place. */
  private static Object read(RedisInputStream from) {
    try {
      Object answer = Protocol.read(from, null);
      return answer == null ? "null" : answer;
    } catch (RuntimeException refused) {
      // Mostly one of Jedis's own; it doesn't expect every error that names another server.
      return refused;
    }
  }

  private static String text(Object answer) {
    if (answer instanceof List<?> parts) {
      List<String> texts = new ArrayList<>();
      parts.forEach(each -> texts.add(text(each == null ? "null" : each)));
      return texts.toString();
    }
    return answer instanceof byte[] bytes ? Arrays.toString(bytes) : answer.toString();
  }

  private static InputStream bytes(CharSequence text) {
    return new ByteArrayInputStream(text.toString().getBytes(ISO_8859_1));
  }

  /** Hands out as little at a time as it likes. */
  private static final class Cut extends InputStream {
    private final InputStream whole;
    private final Random random;

    Cut(InputStream whole, Random random) {
      this.whole = whole;
      this.random = random;
    }

    @Override
    public int read() throws java.io.IOException {
      return whole.read();
    }

    @Override
    public int read(byte[] into, int offset, int most) throws java.io.IOException {
      return whole.read(into, offset, 1 + random.nextInt(most));
    }
  }

  /** Sends what it begins with, and then its last line or its last byte again and again. */
  private static final class Endless extends InputStream {
    private final String begin;
    private final int again;
    private long sent;

    Endless(String begin) {
      this.begin = begin;
      int last = begin.lastIndexOf('\n', begin.length() - 2);
      this.again = begin.endsWith("\n") ? last + 1 : begin.length() - 1;
    }

    @Override
    public int read() {
      long at = sent++;
      long place = at < begin.length() ? at : again + (at - again) % (begin.length() - again);
      return begin.charAt((int) place);
    }

    @Override
    public int read(byte[] into, int offset, int most) {
      for (int i = 0; i < most; i++) {
        into[offset + i] = (byte) read();
      }
      return most;
    }
  }
}
