package io.weir.internal.control.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Databases count characters, Java counts two for some. */
class FieldReaderTest {
  private static final String WIDE = "😀";

  @Test
  void aTextMayHaveAsManyCharactersAsDatabasesCount() {
    String longest = WIDE.repeat(5);
    assertEquals(longest, FieldReader.required("name", longest, 5));
    assertEquals(longest, FieldReader.optional("name", longest, 5));
  }

  @Test
  void oneMoreIsRefusedAndMissingTextIsToo() {
    for (String wrong : new String[] {WIDE.repeat(6), "x".repeat(6)}) {
      assertThrows(InvalidFieldException.class, () -> FieldReader.required("name", wrong, 5));
      assertThrows(InvalidFieldException.class, () -> FieldReader.optional("name", wrong, 5));
    }
    for (String missing : new String[] {null, "", " "}) {
      assertThrows(InvalidFieldException.class, () -> FieldReader.required("name", missing, 5));
    }
    assertEquals("", FieldReader.optional("name", null, 5));
  }
}
