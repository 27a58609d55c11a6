package io.weir.internal.server.resp.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.ByteProcessor;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The words of a command, the first of which is its name; read where they were received, without a
 * copy. Valid until the next command is read.
 *
 * <p>Confine to one thread.
 */
public final class CommandArguments {
  private static final int FEW = 16;
  private static final int LOWER = 0x20;
  private static final int MOST_DIGITS = 19;
  private static final int SPREAD = 31;

  private ByteBuf buffer = Unpooled.EMPTY_BUFFER;
  private int begin;
  private int count;
  private int[] starts = new int[FEW];
  private int[] lengths = new int[FEW];

  /** Makes none. */
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

  /** All words are there: so far from a place in a buffer. */
  void complete(ByteBuf in, int from) {
    buffer = in;
    begin = from;
  }

  /**
   * How many words there are, the name included.
   *
   * @return 1 and more
   */
  public int count() {
    return count;
  }

  /**
   * How long a word is.
   *
   * @param index of the word
   * @return bytes
   */
  public int length(int index) {
    return lengths[index];
  }

  /**
   * Whether a word is this one, in any case.
   *
   * @param index of the word
   * @param upper the letters, in upper case
   * @return true if it is
   */
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
   * A hash of a word that is the same in any case.
   *
   * @param index of the word
   * @return what {@link #hash(byte[])} says of it in upper case
   */
  public int hash(int index) {
    int hash = 0;
    int start = begin + starts[index];
    for (int i = 0; i < lengths[index]; i++) {
      hash = SPREAD * hash + upper(buffer.getByte(start + i));
    }
    return hash;
  }

  /**
   * A hash of letters.
   *
   * @param upper the letters, in upper case
   * @return any number
   */
  public static int hash(byte[] upper) {
    return Arrays.hashCode(upper) - power(upper.length);
  }

  private static int power(int exponent) {
    int power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= SPREAD;
    }
    return power;
  }

  private static byte upper(byte letter) {
    return letter >= 'a' && letter <= 'z' ? (byte) (letter - LOWER) : letter;
  }

  /**
   * A word as it was sent.
   *
   * @param index of the word
   * @return a copy
   */
  public byte[] bytes(int index) {
    byte[] copy = new byte[lengths[index]];
    buffer.getBytes(begin + starts[index], copy);
    return copy;
  }

  /**
   * A word as text.
   *
   * @param index of the word
   * @return the text
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
   * A word as a name to be shown: what isn't a printable ASCII character is a question mark, and a
   * long one is cut.
   *
   * @param index of the word
   * @param most how many characters it may have
   * @return text without a line break
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
   * A word as a whole number.
   *
   * @param index of the word
   * @param least what it must be at least
   * @param most what it may be at most
   * @return the number
   * @throws CommandException if it isn't one, or is out of range
   */
  public long number(int index, long least, long most) throws CommandException {
    int start = begin + starts[index];
    int length = lengths[index];
    boolean negative = length > 0 && buffer.getByte(start) == '-';
    int digits = negative ? length - 1 : length;
    if (digits < 1 || digits > MOST_DIGITS) {
      throw CommandException.notInteger();
    }
    long number = 0; // negative, as those go one further
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
