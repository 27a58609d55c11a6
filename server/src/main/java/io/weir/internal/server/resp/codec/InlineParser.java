package io.weir.internal.server.resp.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/**
 * Splits a line that a person typed into words: at blanks, with single quotes or double quotes
 * ({@code \n}, {@code \xff} and the like are escapes there) around words that contain some.
 *
 * <p>Confine to one thread.
 */
final class InlineParser {
  private static final byte[] POST = "POST".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] HOST = "HOST:".getBytes(StandardCharsets.US_ASCII);
  private static final int HEX = 16;

  private byte[] line = {};
  private byte[] words = {};
  private int at;
  private int length;

  /**
   * Splits a range of a buffer.
   *
   * @throws ProtocolException for unbalanced quotes, too many words, and HTTP: a web page can make
   *     a browser send a form to this machine
   */
  void read(ByteBuf in, int begin, int end, CommandArguments into, int most)
      throws ProtocolException {
    line = new byte[end - begin];
    in.getBytes(begin, line);
    words = new byte[line.length];
    at = 0;
    length = 0;
    into.clear();
    for (skipBlanks(); at < line.length; skipBlanks()) {
      int start = length;
      readWord();
      if (into.count() == most) {
        throw ProtocolException.of("too many arguments");
      }
      into.add(start, length - start);
    }
    into.complete(Unpooled.wrappedBuffer(words), 0);
    if (into.count() > 0 && (into.is(0, POST) || into.is(0, HOST))) {
      throw ProtocolException.otherProtocol();
    }
  }

  private void skipBlanks() {
    while (at < line.length && isBlank(line[at])) {
      at++;
    }
  }

  private static boolean isBlank(byte letter) {
    return letter == ' ' || letter >= '\t' && letter <= '\r';
  }

  private void readWord() throws ProtocolException {
    while (at < line.length && !isBlank(line[at])) {
      byte next = line[at++];
      if (next == '"' || next == '\'') {
        readQuoted(next);
      } else {
        words[length++] = next;
      }
    }
  }

  private void readQuoted(byte quote) throws ProtocolException {
    while (at < line.length) {
      byte next = line[at++];
      if (next == quote) {
        if (at < line.length && !isBlank(line[at])) {
          break;
        }
        return;
      }
      words[length++] = next == '\\' && at < line.length ? escaped(quote) : next;
    }
    throw ProtocolException.of("unbalanced quotes in request");
  }

  private byte escaped(byte quote) {
    byte next = line[at];
    if (quote == '\'') {
      if (next != '\'') {
        return '\\';
      }
      at++;
      return next;
    }
    at++;
    if (next == 'x' && at + 1 < line.length) {
      int high = Character.digit(line[at], HEX);
      int low = Character.digit(line[at + 1], HEX);
      if (high >= 0 && low >= 0) {
        at += 2;
        return (byte) (HEX * high + low);
      }
    }
    return switch (next) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'b' -> '\b';
      case 'a' -> 7;
      default -> next;
    };
  }
}
