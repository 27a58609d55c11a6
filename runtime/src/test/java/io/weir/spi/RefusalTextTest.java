package io.weir.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A media type becomes a header field as it is. */
class RefusalTextTest {
  private static final String LONGEST = "x".repeat(RefusalText.LONGEST);

  @Test
  void aMediaTypeIsPrintableAsciiAndInUtf8() {
    for (String type :
        List.of("text/plain", "a/b~", "text/html; charset=utf-8", "text/html;charset=\"UTF-8\"")) {
      assertEquals(type, new RefusalText(type, "").contentType());
    }
    for (String wrong :
        List.of(
            "text/plain\u007f",
            "text/plain\u001f",
            "text/plain\r\nX-Evil: 1",
            "text/plän",
            "plain",
            "/plain",
            "text/html; charset=latin1")) {
      assertThrows(IllegalArgumentException.class, () -> new RefusalText(wrong, ""), wrong);
    }
  }

  @Test
  void aTextHasAtMost16384Characters() {
    assertEquals(16_384, RefusalText.LONGEST);
    assertEquals(LONGEST, new RefusalText("text/plain", LONGEST).text());
    assertThrows(
        IllegalArgumentException.class, () -> new RefusalText("text/plain", LONGEST + "x"));
  }
}
