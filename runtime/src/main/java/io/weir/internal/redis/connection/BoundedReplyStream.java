package io.weir.internal.redis.connection;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;

/**
 * Checks the replies of Redis before Jedis reads them.
 *
 * <p>Jedis allocates as much as a reply's first bytes announce, and recurses as deep as it is
 * nested. So only replies that Weir expects get through: RESP2, with texts, arrays and depth within
 * bounds. Anything else ends the connection before it is read.
 *
 * <p>Reads each byte once, and skips those of texts.
 *
 * <p>It can also wait for a reply without passing anything to Jedis, which gives up a connection
 * when a read times out. Confine to one thread.
 */
final class BoundedReplyStream extends FilterInputStream {
  static final int LONGEST_TEXT = 1 << 20;
  static final int LONGEST_LINE = 1 << 16;

  /** A cluster has 16,384 slots. */
  static final int MAX_PARTS = 1 << 14;

  static final int DEEPEST = 8;
  static final int LONGEST_REPLY = 1 << 23;

  private static final int AHEAD = 1 << 10;
  private static final byte TLS_ALERT = 0x15;
  private static final byte TLS_HANDSHAKE = 0x16;

  private enum State {
    KIND,
    LINE,
    NUMBER,
    LINE_END,
    TEXT,
    TEXT_RETURN,
    TEXT_END
  }

  private final int[] missing = new int[DEEPEST];
  private State state = State.KIND;
  private byte kind;
  private int depth;
  private int length;
  private int textLeft;
  private long number;
  private int digits;
  private boolean negative;
  private long replyLength;
  private long replies;
  private final byte[] ahead = new byte[AHEAD];
  private int aheadFrom;
  private int aheadTo;
  private volatile boolean reads;

  BoundedReplyStream(InputStream redis) {
    super(redis);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  /**
   * Waits until there is more to read, at most for the socket's time-out; false if there is nothing
   * yet, and then nothing is lost.
   */
  boolean await() throws IOException {
    if (aheadFrom == aheadTo) {
      try {
        aheadTo = fetch(ahead, 0, AHEAD);
      } catch (SocketTimeoutException nothing) {
        return false;
      }
      aheadFrom = 0;
    }
    return true;
  }

  /** Returns the number of complete replies passed on so far. */
  long replies() {
    return replies;
  }

  @Override
  public int read(byte[] into, int offset, int most) throws IOException {
    int count = aheadFrom == aheadTo ? fetch(into, offset, most) : take(into, offset, most);
    int at = offset;
    while (at < offset + count) {
      at += state == State.TEXT ? skipText(offset + count - at) : check(into[at]);
    }
    return count;
  }

  private int fetch(byte[] into, int offset, int most) throws IOException {
    reads = false;
    int count = in.read(into, offset, most);
    reads = true;
    return count;
  }

  /**
   * Returns whether something has arrived since the last read began. May be called by any thread.
   */
  boolean isReading() {
    return reads;
  }

  /** Notes that something is sent: earlier data belongs to earlier commands. */
  void beginsAnew() {
    reads = false;
  }

  private int take(byte[] into, int offset, int most) {
    int count = Math.min(aheadTo - aheadFrom, most); // less than 0 at the end of the stream
    if (count > 0) {
      System.arraycopy(ahead, aheadFrom, into, offset, count);
      aheadFrom += count;
    }
    return count;
  }

  private int skipText(int available) throws IOException {
    int skipped = Math.min(available, textLeft);
    textLeft -= skipped;
    state = textLeft == 0 ? State.TEXT_RETURN : State.TEXT;
    grow(skipped);
    return skipped;
  }

  private int check(byte b) throws IOException {
    grow(1);
    switch (state) {
      case KIND -> begin(b);
      case LINE -> line(b);
      case NUMBER -> number(b);
      case LINE_END -> {
        require(b == '\n', "a line without its end");
        endHead();
      }
      case TEXT_RETURN -> {
        require(b == '\r', "a string longer than announced");
        state = State.TEXT_END;
      }
      default -> {
        require(b == '\n', "a string longer than announced");
        endPart();
      }
    }
    return 1;
  }

  private void grow(int bytes) throws IOException {
    replyLength += bytes;
    require(replyLength <= LONGEST_REPLY, "a reply is too long");
  }

  private void begin(byte b) throws IOException {
    kind = b;
    length = 0;
    number = 0;
    digits = 0;
    negative = false;
    switch (b) {
      case '+' -> state = State.LINE;
      case '-' -> {
        // Each becomes an exception, and Weir's scripts return none within an answer.
        require(depth == 0, "an error within a reply");
        state = State.LINE;
      }
      case ':', '$', '*' -> state = State.NUMBER;
      case TLS_ALERT, TLS_HANDSHAKE ->
          throw new IOException(
              "it sent TLS; begin weir.store with rediss:// or end it with tls=true");
      default -> throw new IOException("it sent an invalid reply");
    }
  }

  private void line(byte b) throws IOException {
    require(b != '\n' && ++length <= LONGEST_LINE, "a line that is too long or has no end");
    state = b == '\r' ? State.LINE_END : State.LINE;
  }

  private void number(byte b) throws IOException {
    if (b == '\r') {
      require(digits > 0, "a number without digits");
      number = negative ? -number : number;
      state = State.LINE_END;
    } else if (b == '-') {
      require(digits == 0 && !negative, "no number");
      negative = true;
    } else {
      require(b >= '0' && b <= '9' && ++digits <= 18, "not a number, or one that is too large");
      number = number * 10 + b - '0';
    }
  }

  private void endHead() throws IOException {
    switch (kind) {
      case '$' -> {
        require(number >= -1 && number <= LONGEST_TEXT, "a string is too long");
        textLeft = (int) number;
        state = number > 0 ? State.TEXT : State.TEXT_RETURN;
        if (number < 0) {
          endPart();
        }
      }
      case '*' -> {
        require(number >= -1 && number <= MAX_PARTS, "a reply has too many elements");
        require(number < 1 || depth < DEEPEST, "a reply nested too deeply");
        if (number > 0) {
          missing[depth++] = (int) number;
          state = State.KIND;
        } else {
          endPart();
        }
      }
      default -> endPart();
    }
  }

  /** Ends an answer, and those that it was the last part of. */
  private void endPart() {
    state = State.KIND;
    while (depth > 0 && --missing[depth - 1] == 0) {
      depth--;
    }
    if (depth == 0) {
      replyLength = 0;
      replies++;
    }
  }

  private static void require(boolean met, String otherwise) throws IOException {
    if (!met) {
      throw new IOException("it sent " + otherwise);
    }
  }

  /** Skips nothing, so that everything is checked. */
  @Override
  public long skip(long bytes) {
    return 0;
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
