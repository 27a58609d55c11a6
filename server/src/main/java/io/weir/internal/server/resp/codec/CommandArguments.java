package io.weir.internal.server.resp.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.ByteProcessor;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The words of a command, of which the first is its name, in the receive buffer, without a copy.
 * Valid until the next command is read.
 *
 * <p>Confine to one thread.
 */
public final class CommandArguments {
  private static final int INITIAL_SIZE = 16;
  private static final int LOWER_CASE_BIT = 0x20;
  private static final int MAX_DIGITS = 19;
  private static final int HASH_FACTOR = 31;

  private ByteBuf buffer = Unpooled.EMPTY_BUFFER;
  private int begin;
  private int count;
  private int[] starts = new int[INITIAL_SIZE];
  private int[] lengths = new int[INITIAL_SIZE];

  public CommandArguments() {}

  void clear() {
    count = 0;
  }

  void add(int start, int length) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      lengths = Arrays.copyOf(lengths, 2 * count);
    }
    starts[count] = start;
    lengths[count++] = length;
  }

  /** Completes the words, whose positions count from a position in a buffer. */
  void complete(ByteBuf in, int from) {
    buffer = in;
    begin = from;
  }

  /** Returns the number of words, including the name: 1 or more. */
  public int count() {
    return count;
  }

  /** Returns the length of a word in bytes. */
  public int length(int index) {
    return lengths[index];
  }

  /** Returns whether a word equals one that is given in upper case, in any case of letters. */
  public boolean is(int index, byte[] upper) {
    if (lengths[index] != upper.length) {
      return false;
    }
    int start = begin + starts[index];
    for (int i = 0; i < upper.length; i++) {
      if (upper(buffer.getByte(start + i)) != upper[i]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the {@link #hash(byte[])} of a word in upper case, whatever the case of its letters.
   */
  public int hash(int index) {
    int hash = 0;
    int start = begin + starts[index];
    for (int i = 0; i < lengths[index]; i++) {
      hash = HASH_FACTOR * hash + upper(buffer.getByte(start + i));
    }
    return hash;
  }

  /** Returns the hash of a word in upper case. */
  public static int hash(byte[] upper) {
    return Arrays.hashCode(upper) - power(upper.length);
  }

  private static int power(int exponent) {
    int power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= HASH_FACTOR;
    }
    return power;
  }

  private static byte upper(byte letter) {
    return letter >= 'a' && letter <= 'z' ? (byte) (letter - LOWER_CASE_BIT) : letter;
  }

  public byte[] bytes(int index) {
    byte[] copy = new byte[lengths[index]];
    buffer.getBytes(begin + starts[index], copy);
    return copy;
  }

  /**
   * Returns a word as text.
   *
   * @throws CommandException if it isn't UTF-8
   */
  public String text(int index) throws CommandException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes(index))).toString();
    } catch (CharacterCodingException unreadable) {
      throw CommandException.of("Value is not valid UTF-8");
    }
  }

  /**
   * Returns a word for messages: other than printable ASCII characters become question marks, and a
   * long word is cut off.
   */
  public String shown(int index, int most) {
    StringBuilder text = new StringBuilder();
    int length = Math.min(most, lengths[index]);
    ByteProcessor each =
        value -> {
          text.append(value >= ' ' && value < Byte.MAX_VALUE ? (char) value : '?');
          return true;
        };
    buffer.forEachByte(begin + starts[index], length, each);
    return text.toString();
  }

  /**
   * Returns a word as a whole number.
   *
   * @throws CommandException if it isn't one, or is out of range
   */
  public long number(int index, long least, long most) throws CommandException {
    int start = begin + starts[index];
    int length = lengths[index];
    boolean negative = length > 0 && buffer.getByte(start) == '-';
    int digits = negative ? length - 1 : length;
    if (digits < 1 || digits > MAX_DIGITS) {
      throw CommandException.notInteger();
    }
    long number = 0; // negative, as the range of negative numbers is larger by one
    for (int i = length - digits; i < length; i++) {
      int digit = buffer.getByte(start + i) - '0';
      if (digit < 0 || digit > 9) {
        throw CommandException.notInteger();
      }
      number = 10 * number - digit;
      if (number > 0) {
        throw CommandException.notInteger();
      }
    }
    if (!negative && number == Long.MIN_VALUE) {
      throw CommandException.notInteger();
    }
    long value = negative ? number : -number;
    if (value < least || value > most) {
      throw CommandException.notInteger();
    }
    return value;
  }
}
