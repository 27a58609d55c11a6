package io.weir.internal.rules.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RowTextsTest {
  private static final List<String> NAMES = List.of("id", "name", "tier");

  private static RowTexts of(@Nullable String... texts) {
    return new RowTexts(new ColumnNames(NAMES), texts);
  }

  /** A text that no other is the same object as. */
  private static String own(String text) {
    return String.valueOf(text.toCharArray());
  }

  @Test
  void isLikeAnyOtherMap() {
    RowTexts texts = of("1", null, "free");
    Map<String, String> other = Map.of("id", "1", "tier", "free");
    assertEquals(other, texts);
    assertEquals(texts, other);
    assertEquals(other.hashCode(), texts.hashCode());
    assertEquals(2, texts.size());
    assertEquals("free", texts.get("tier"));
    assertNull(texts.get("name"));
    assertFalse(texts.containsKey("name"));
    assertFalse(texts.containsKey("unknown"));
    assertNotEquals(texts, of("1", "a", "free"));
    assertThrows(UnsupportedOperationException.class, () -> texts.put("id", "2"));
    assertThrows(UnsupportedOperationException.class, () -> texts.remove("id"));
    assertThrows(UnsupportedOperationException.class, texts::clear);
  }

  @Test
  void sharesWhatHasNotChanged() {
    RowTexts older = of(own("1"), own("a"), null);
    RowTexts shared = of(own("1"), own("b"), own("free")).sharing(older);
    assertEquals(of("1", "b", "free"), shared);
    assertSame(older.get("id"), shared.get("id"));
  }

  @Test
  void sharesNothingWithOtherColumns() {
    RowTexts texts = of("1", "a", "free");
    RowTexts other = new RowTexts(new ColumnNames(List.of("id")), new String[] {own("1")});
    assertSame(texts, texts.sharing(other));
    assertNotEquals(texts, other);
  }

  @Test
  void findsTextsThatWereSeenBefore() {
    SeenTexts seen = new SeenTexts();
    String first = own("free");
    assertSame(first, seen.shared(first));
    assertSame(first, seen.shared(own("free")));
    assertEquals("premium", seen.shared(own("premium")));
  }
}
