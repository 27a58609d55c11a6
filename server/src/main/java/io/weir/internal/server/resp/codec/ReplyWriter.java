package io.weir.internal.server.resp.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/**
 * Writes replies. RESP2 and RESP3 differ in maps and nulls.
 *
 * <p>Confine to one thread.
 */
public final class ReplyWriter {
  private static final int MAX_DIGITS = 20;
  private static final int BASE = 10;

  private final byte[] digits = new byte[MAX_DIGITS];
  private ByteBuf out = Unpooled.EMPTY_BUFFER;
  private boolean resp3;

  /** Creates a writer without a buffer. */
  public ReplyWriter() {}

  /** Sets the buffer to write to. */
  public ReplyWriter to(ByteBuf buffer) {
    out = buffer;
    return this;
  }

  /**
   * Sets the version of the protocol.
   *
   * @param version 2 or 3
   */
  public void protocol(int version) {
    resp3 = version == 3;
  }

  /** Writes {@code OK}. */
  public void ok() {
    simple("OK");
  }

  /**
   * Writes a short text.
   *
   * @param text without a line break
   */
  public void simple(String text) {
    line('+', text);
  }

  /**
   * Writes an error. Control characters become blanks.
   *
   * @param text a code in capitals, and the mistake
   */
  public void error(String text) {
    line('-', text);
  }

  private void line(char kind, String text) {
    out.writeByte(kind);
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      out.writeByte(letter >= ' ' && letter < Byte.MAX_VALUE ? letter : ' ');
    }
    end();
  }

  /** Writes a whole number. */
  public void number(long value) {
    counted(':', value);
  }

  /**
   * Writes a text as a bulk string.
   *
   * @param text as UTF-8
   */
  public void bulk(String text) {
    counted('$', ByteBufUtil.utf8Bytes(text));
    ByteBufUtil.writeUtf8(out, text);
    end();
  }

  /**
   * Writes bytes.
   *
   * @param bytes any
   */
  public void bulk(byte[] bytes) {
    counted('$', bytes.length);
    out.writeBytes(bytes);
    end();
  }

  /** Writes a null. */
  public void nil() {
    out.writeCharSequence(resp3 ? "_\r\n" : "$-1\r\n", StandardCharsets.US_ASCII);
  }

  /**
   * Begins a list.
   *
   * @param size the number of replies that follow as its members
   */
  public void list(int size) {
    counted('*', size);
  }

  /**
   * Begins a map, which is a list of names and values in RESP2.
   *
   * @param size the number of names that follow, each with its value
   */
  public void map(int size) {
    counted(resp3 ? '%' : '*', resp3 ? size : 2 * size);
  }

  private void counted(char kind, long value) {
    out.writeByte(kind);
    if (value >= 0 && value < BASE) {
      out.writeByte('0' + (int) value);
    } else {
      writeDigits(value);
    }
    end();
  }

  private void writeDigits(long value) {
    int at = digits.length;
    long rest = value < 0 ? value : -value; // as the smallest number has no positive counterpart
    while (rest != 0) {
      digits[--at] = (byte) ('0' - rest % BASE);
      rest /= BASE;
    }
    if (value < 0) {
      digits[--at] = '-';
    }
    out.writeBytes(digits, at, digits.length - at);
  }

  private void end() {
    out.writeShort('\r' << Byte.SIZE | '\n');
  }
}
