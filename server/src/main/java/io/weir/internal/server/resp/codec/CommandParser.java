package io.weir.internal.server.resp.codec;

import io.netty.buffer.ByteBuf;

/**
 * Reads commands: arrays of bulk strings, or lines that people type ({@code inline} commands).
 *
 * <p>Remembers its position, so that a command that arrives in pieces is not read twice. Stores
 * only the positions of words, so that an announced length allocates nothing.
 *
 * <p>Confine to one thread.
 */
public final class CommandParser {
  private static final int MAX_NUMBER_LENGTH = 12;
  private static final int INCOMPLETE = -1;
  private static final byte CR = '\r';
  private static final byte LF = '\n';

  private final CommandArguments arguments = new CommandArguments();
  private final InlineParser inline = new InlineParser();

  /** The position at which to continue, from the beginning of the command. */
  private int at;

  /** The number of words that are still missing; 0 if the command hasn't begun. */
  private int missing;

  /** The length of the next word; negative if it isn't known yet. */
  private int length = INCOMPLETE;

  private int number;

  public CommandParser() {}

  /** Returns the words of the last command; they are valid until the next call of {@link #read}. */
  public CommandArguments arguments() {
    return arguments;
  }

  /**
   * Reads one command, and moves the buffer's reader index behind it.
   *
   * @param in the bytes received so far, from the beginning of this command on
   * @return false if it is incomplete; then the next call needs the same bytes and more
   * @throws ProtocolException if the stream is malformed, so that no further command can be read
   */
  public boolean read(ByteBuf in, CommandLimits limits) throws ProtocolException {
    while (in.isReadable()) {
      if (missing > 0) {
        return readWords(in, limits);
      }
      if (in.getByte(in.readerIndex()) != '*') {
        if (!readInline(in, limits)) {
          return false;
        }
        if (arguments.count() > 0) {
          return true;
        }
      } else if (!begin(in, limits)) {
        return false;
      }
    }
    return false;
  }

  private boolean readInline(ByteBuf in, CommandLimits limits) throws ProtocolException {
    int begin = in.readerIndex();
    int most = Math.min(in.readableBytes(), limits.bytes());
    int end = in.indexOf(begin + at, begin + most, LF);
    if (end < 0) {
      if (in.readableBytes() >= limits.bytes()) {
        throw ProtocolException.of("too big inline request");
      }
      at = in.readableBytes();
      return false;
    }
    at = 0;
    boolean ended = end > begin && in.getByte(end - 1) == CR;
    inline.read(in, begin, ended ? end - 1 : end, arguments, limits.arguments());
    in.readerIndex(end + 1);
    return true;
  }

  /** Reads the number of words; returns false if it is incomplete. */
  private boolean begin(ByteBuf in, CommandLimits limits) throws ProtocolException {
    if (!readNumber(in, 1, "invalid multibulk length")) {
      return false;
    }
    if (number > limits.arguments()) {
      throw ProtocolException.of("invalid multibulk length");
    }
    if (number <= 0) { // an empty command
      in.skipBytes(at);
      at = 0;
      return true;
    }
    missing = number;
    arguments.clear();
    return true;
  }

  private boolean readWords(ByteBuf in, CommandLimits limits) throws ProtocolException {
    int begin = in.readerIndex();
    while (missing > 0) {
      if (length < 0) {
        if (at >= in.readableBytes()) {
          return false;
        }
        if (in.getByte(begin + at) != '$') {
          throw ProtocolException.of("expected '$'");
        }
        if (!readNumber(in, at + 1, "invalid bulk length")) {
          return false;
        }
        if (number < 0 || number > limits.bytes() - at) {
          throw ProtocolException.of("invalid bulk length");
        }
        length = number;
      }
      if (in.readableBytes() - at < length + 2) {
        return false;
      }
      if (in.getByte(begin + at + length) != CR || in.getByte(begin + at + length + 1) != LF) {
        throw ProtocolException.of("a bulk string is longer than its announced length");
      }
      arguments.add(at, length);
      at += length + 2;
      length = INCOMPLETE;
      missing--;
    }
    arguments.complete(in, begin);
    in.skipBytes(at);
    at = 0;
    return true;
  }

  /** Reads a number and the end of its line, and moves {@code at} behind it. */
  private boolean readNumber(ByteBuf in, int from, String error) throws ProtocolException {
    int begin = in.readerIndex();
    int most = Math.min(in.readableBytes(), from + MAX_NUMBER_LENGTH);
    boolean negative = from < most && in.getByte(begin + from) == '-';
    int first = negative ? from + 1 : from;
    long value = 0;
    for (int i = first; i < most; i++) {
      byte next = in.getByte(begin + i);
      if (next == CR && i > first) {
        if (i + 1 == in.readableBytes()) {
          return false;
        }
        if (in.getByte(begin + i + 1) != LF) {
          throw ProtocolException.of(error);
        }
        number = negative ? -1 : (int) Math.min(Integer.MAX_VALUE, value);
        at = i + 2;
        return true;
      }
      if (next < '0' || next > '9') {
        throw ProtocolException.of(error);
      }
      value = 10 * value + next - '0';
    }
    if (most == from + MAX_NUMBER_LENGTH) {
      throw ProtocolException.of(error);
    }
    return false;
  }
}
