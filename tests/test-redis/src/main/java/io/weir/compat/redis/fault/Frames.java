package io.weir.compat.redis.fault;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/**
 * Splits what one side of a connection says into whole values of RESP 2 and 3, which are commands
 * or replies.
 *
 * <p>Confine to one thread. Format: the Redis serialization protocol specification.
 */
final class Frames {
  private static final int HEAD = 64;

  private final InputStream in;
  private ByteArrayOutputStream frame = new ByteArrayOutputStream();

  Frames(InputStream in) {
    this.in = new BufferedInputStream(in);
  }

  /**
   * Returns the next whole value, as it came.
   *
   * @throws EOFException if there is none, or only a part of one
   */
  byte[] next() throws IOException {
    frame = new ByteArrayOutputStream();
    value();
    return frame.toByteArray();
  }

  private void value() throws IOException {
    String line = line();
    String rest = line.substring(1);
    switch (line.charAt(0)) {
      case '$', '=', '!' -> bytes(Integer.parseInt(rest));
      case '*', '~', '>' -> values(Integer.parseInt(rest));
      case '%' -> values(2 * Integer.parseInt(rest));
      case '|' -> values(2 * Integer.parseInt(rest) + 1);
      default -> {}
    }
  }

  private void values(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      value();
    }
  }

  private void bytes(int length) throws IOException {
    if (length >= 0) {
      byte[] all = in.readNBytes(length + 2);
      if (all.length < length + 2) {
        throw new EOFException("ended within a value");
      }
      frame.writeBytes(all);
    }
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("ended");
      }
      line.write(b);
      frame.write(b);
    }
    frame.write('\n');
    return line.toString(ISO_8859_1).strip();
  }

  /** Returns a command as it is sent. */
  static byte[] command(String... words) {
    StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      text.append("$" + word.length() + "\r\n" + word + "\r\n");
    }
    return text.toString().getBytes(ISO_8859_1);
  }

  /** Returns whether a command runs a script. */
  static boolean runsScript(byte[] command) {
    String head = new String(command, 0, Math.min(HEAD, command.length), ISO_8859_1);
    return head.toUpperCase(Locale.ROOT).contains("\r\nEVAL");
  }

  /** Returns whether it is pushed, not a reply. */
  static boolean isPush(byte[] reply) {
    return reply[0] == '>';
  }
}
