package io.weir.internal.body;

import io.weir.InvalidRequestException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;

/** Decodes bytes, and refuses those that readers would replace, each in its own way. */
final class StrictText {
  private StrictText() {}

  /**
   * Decodes bytes.
   *
   * @throws InvalidRequestException if they aren't a text in the charset
   */
  static String of(byte[] bytes, int from, int to, Charset charset) {
    try {
      return charset
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(bytes, from, to - from))
          .toString();
    } catch (CharacterCodingException malformed) {
      throw new InvalidRequestException("The body isn't a text in its charset.");
    }
  }
}
