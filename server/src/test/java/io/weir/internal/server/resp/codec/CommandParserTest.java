package io.weir.internal.server.resp.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The largest commands that are read, and those that are larger by one. */
class CommandParserTest {
  private static final CommandLimits STRANGER = CommandLimits.UNAUTHENTICATED;
  private static final CommandLimits KNOWN = CommandLimits.AUTHENTICATED;

  private static ByteBuf buffer(String text) {
    return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
  }

  private static int arguments(String sent, CommandLimits limits) throws ProtocolException {
    CommandParser parser = new CommandParser();
    assertTrue(parser.read(buffer(sent), limits), "incomplete");
    return parser.arguments().count();
  }

  private static String refusal(String sent, CommandLimits limits) {
    return String.valueOf(
        assertThrows(ProtocolException.class, () -> new CommandParser().read(buffer(sent), limits))
            .getMessage());
  }

  /** Makes a command of so many words of one letter. */
  private static String words(int count) {
    return "*" + count + "\r\n" + "$1\r\na\r\n".repeat(count);
  }

  /** Begins a command of two words whose second one ends after so many bytes in all. */
  private static String announced(int bytes) {
    String begin = "*2\r\n$4\r\nECHO\r\n";
    int line = ("$" + bytes + "\r\n").length(); // as long as that of any number near it
    return begin + "$" + (bytes - begin.length() - line) + "\r\n";
  }

  @Test
  void aStrangerSendsTenWordsOf16Kib() throws Exception {
    assertEquals(10, arguments(words(10), STRANGER));
    assertEquals("invalid multibulk length", refusal(words(11), STRANGER));
    assertEquals(10, arguments("a ".repeat(10) + "\r\n", STRANGER));
    assertEquals("too many arguments", refusal("a ".repeat(11) + "\r\n", STRANGER));
    assertFalse(new CommandParser().read(buffer(announced(16 * 1024)), STRANGER));
    assertEquals("invalid bulk length", refusal(announced(16 * 1024 + 1), STRANGER));
    assertEquals("too big inline request", refusal("x".repeat(16 * 1024), STRANGER));
    assertFalse(new CommandParser().read(buffer("x".repeat(16 * 1024 - 1)), STRANGER));
  }

  @Test
  void aKnownClientSends1024WordsOf64Kib() throws Exception {
    assertEquals(1_024, arguments(words(1_024), KNOWN));
    assertEquals("invalid multibulk length", refusal(words(1_025), KNOWN));
    assertEquals(1_024, arguments("a ".repeat(1_024) + "\r\n", KNOWN));
    assertEquals("too many arguments", refusal("a ".repeat(1_025) + "\r\n", KNOWN));
    assertFalse(new CommandParser().read(buffer(announced(64 * 1024)), KNOWN));
    assertEquals("invalid bulk length", refusal(announced(64 * 1024 + 1), KNOWN));
    assertEquals("too big inline request", refusal("x".repeat(64 * 1024), KNOWN));
    assertFalse(new CommandParser().read(buffer("x".repeat(64 * 1024 - 1)), KNOWN));
  }
}
