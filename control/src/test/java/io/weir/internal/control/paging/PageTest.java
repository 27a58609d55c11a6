package io.weir.internal.control.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.internal.control.json.InvalidFieldException;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class PageTest {
  @Test
  void aFullPageHasACursorToTheNext() {
    Page<Integer> page =
        Page.of(List.of(1, 2, 3), 2, 1_000, last -> Cursor.of("x/ä", last), Function.identity());
    assertEquals(List.of(1, 2), page.items());
    Cursor next = Cursor.parse(String.valueOf(page.next()), 2);
    assertEquals("x/ä", next.text(0));
    assertEquals(2, next.number(1));
  }

  @Test
  void aCursorHasInstantsToTheMicrosecond() {
    Instant instant = Instant.parse("2026-11-01T00:00:00.123456Z");
    Cursor cursor = Cursor.parse(Cursor.of(instant, "x").toString(), 2);
    assertEquals(instant, cursor.instant(0));
    assertThrows(InvalidFieldException.class, () -> Cursor.of("-1").instant(0));
    assertThrows(InvalidFieldException.class, () -> Cursor.of(Long.MAX_VALUE).instant(0));
  }

  @Test
  void theLastPageHasNoNext() {
    assertNull(Page.of(List.of(1, 2), 2, 1_000, last -> Cursor.of(last), any -> any).next());
    assertNull(Page.of(List.<Integer>of(), 2, 1_000, last -> Cursor.of(last), any -> any).next());
  }

  @Test
  void aPageOfAllRowsThatTheDatabaseReturnsAtOnceMayHaveANext() {
    Page<Integer> page = Page.of(List.of(1, 2), 2, 2, last -> Cursor.of(last), any -> any);
    assertEquals(List.of(1, 2), page.items());
    assertEquals(Cursor.of(2).toString(), page.next());
  }

  @Test
  void aCursorOfAnotherListIsRefused() {
    String other = Cursor.of("a").toString();
    for (String each : new String[] {"", "!", "a", other, "____", "A".repeat(5_000)}) {
      assertThrows(InvalidFieldException.class, () -> Cursor.parse(each, 2), each);
    }
    Cursor text = Cursor.parse(other, 1);
    assertThrows(InvalidFieldException.class, () -> text.number(0));
  }
}
