package io.weir.benchmarks.service;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The Redis protocol. Replies are integers, or lists of five. */
final class RespWire implements Wire {
  private static final int DIGITS = 9;
  private static final String FULL = "1000000";
  private static final String DAY = "86400";
  private static final byte[] FULL_REPLY = (":" + FULL).getBytes(StandardCharsets.US_ASCII);

  private final String greeting;
  private final byte[] before;
  private final byte[] after;
  private final byte[] digits = new byte[DIGITS];
  private final int lines;
  private int seen;
  private long full;

  /** Before a sign-in. */
  private boolean greeted;

  private RespWire(String greeting, int lines, String... words) {
    this.greeting = greeting;
    this.lines = lines;
    String[] frame = frame(words).split("CALLER", 2);
    this.before = frame[0].getBytes(StandardCharsets.US_ASCII);
    this.after = frame[1].getBytes(StandardCharsets.US_ASCII);
    this.greeted = greeting.isEmpty();
  }

  /** {@code RL.REDUCE}, filled again each day. */
  static RespWire reduce(String token) {
    return new RespWire(frame("AUTH", token), 1, "RL.REDUCE", "CALLER", FULL, DAY);
  }

  /** {@code RL.GET}, which takes nothing. */
  static RespWire get(String token) {
    return new RespWire(frame("AUTH", token), 1, "RL.GET", "CALLER", FULL, DAY);
  }

  /** {@code CL.THROTTLE}. */
  static RespWire throttle(String token) {
    return new RespWire(frame("AUTH", token), 6, "CL.THROTTLE", "CALLER", FULL, FULL, DAY);
  }

  /** {@code WEIR.CHECK}. */
  static RespWire check(String token) {
    return new RespWire(
        frame("AUTH", token), 6, "WEIR.CHECK", "user" + "CALLER", ServerChild.ENDPOINT);
  }

  /** Returns a script in Redis. */
  static RespWire script(String sha) {
    return new RespWire("", 1, "EVALSHA", sha, "1", "CALLER", FULL, "11.57", "1");
  }

  /** Finds the nine digits of the caller. */
  private static String frame(String... words) {
    StringBuilder frame = new StringBuilder("*" + words.length + "\r\n");
    for (String each : words) {
      int length = each.replace("CALLER", "0".repeat(DIGITS)).length();
      frame.append('$').append(length).append("\r\n").append(each).append("\r\n");
    }
    return frame.toString();
  }

  @Override
  public byte[] greeting() {
    return greeting.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void write(ByteBuffer to, int caller) {
    int rest = caller;
    for (int at = DIGITS - 1; at >= 0; at--) {
      digits[at] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    to.put(before).put(digits).put(after);
  }

  @Override
  public int take(ByteBuffer from) {
    int replies = 0;
    int begin = from.position();
    for (int at = begin; at < from.limit(); at++) {
      if (from.get(at) == '\n') {
        if (from.get(begin) == '-') {
          throw new IllegalStateException(StandardCharsets.US_ASCII.decode(from).toString());
        }
        full += isFull(from, begin) ? 1 : 0;
        begin = at + 1;
        from.position(begin);
        seen++;
        if (seen == (greeted ? lines : 1)) {
          greeted = true;
          seen = 0;
          replies++;
        }
      }
    }
    return replies;
  }

  private static boolean isFull(ByteBuffer from, int line) {
    for (int i = 0; i < FULL_REPLY.length; i++) {
      if (from.get(line + i) != FULL_REPLY[i]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public long full() {
    return full;
  }
}
