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

  public ReplyWriter() {}

  public ReplyWriter to(ByteBuf buffer) {
    out = buffer;
    return this;
  }

  /** Sets the version of the protocol, 2 or 3. */
  public void protocol(int version) {
    resp3 = version == 3;
  }

  public void ok() {
    simple("OK");
  }

  /** Writes a short text without a line break. */
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

  public void number(long value) {
    counted(':', value);
  }

  /** Writes a text in UTF-8 as a bulk string. */
  public void bulk(String text) {
    counted('$', ByteBufUtil.utf8Bytes(text));
    ByteBufUtil.writeUtf8(out, text);
    end();
  }

  public void bulk(byte[] bytes) {
    counted('$', bytes.length);
    out.writeBytes(bytes);
    end();
  }

  public void nil() {
    out.writeCharSequence(resp3 ? "_\r\n" : "$-1\r\n", StandardCharsets.US_ASCII);
  }

  /** Begins a list, whose members are the next {@code size} replies. */
  public void list(int size) {
    counted('*', size);
  }

  /** Begins a map of the next {@code size} names, each with its value; in RESP2 it is a list. */
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
