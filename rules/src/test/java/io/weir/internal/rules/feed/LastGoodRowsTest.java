package io.weir.internal.rules.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LastGoodRowsTest {
  private final AtomicInteger read = new AtomicInteger();
  private String unusable = "";
  private final LastGoodRows<String> rows =
      new LastGoodRows<>(
          row -> {
            read.incrementAndGet();
            String limit = row.column("limit_count").orElseThrow();
            if (limit.equals("bad") || limit.equals(unusable)) {
              throw new IllegalArgumentException(limit);
            }
            return row.key() + ":" + limit;
          });

  private static StoredRow row(String key, String limit) {
    return new StoredRow(RuleTable.RULES, key, Map.of("limit_count", limit));
  }

  private boolean replace(StoredRow... now) {
    return rows.replace(List.of(now), row -> List.of());
  }

  private void merge(Set<String> keys, StoredRow... now) {
    rows.merge(keys, List.of(now), row -> List.of());
  }

  private List<String> values() {
    return rows.values().stream().sorted().toList();
  }

  @Test
  void anEqualRowIsNotReadAgain() {
    replace(row("1", "10"), row("2", "20"));
    replace(row("1", "10"), row("2", "21"));
    assertEquals(3, read.get());
  }

  @Test
  void anEqualRowStaysTheSameObject() {
    StoredRow held = row("1", "10");
    replace(held, row("2", "20"));
    replace(row("1", "10"), row("2", "21"));
    assertSame(held, rows.sharing(row("1", "10")));
    assertSame(held, rows.goodRows().stream().filter(held::equals).findFirst().orElseThrow());
  }

  @Test
  void tellsWhetherAnyRowHasChanged() {
    assertTrue(replace(row("1", "10"), row("2", "20")));
    assertFalse(replace(row("1", "10"), row("2", "20")));
    assertTrue(replace(row("1", "10"), row("2", "21")));
    assertTrue(replace(row("1", "10")));
    assertTrue(replace(row("1", "10"), row("3", "30")));
  }

  @Test
  void replacesSomeRowsAndLeavesTheOthers() {
    replace(row("1", "10"), row("2", "20"), row("3", "30"));
    merge(Set.of("2", "3", "4"), row("2", "21"), row("4", "40"));
    assertEquals(List.of("1:10", "2:21", "4:40"), values());
    assertEquals(5, read.get(), "only what has changed is read");
  }

  @Test
  void someRowsKeepTheirLastGoodVersionsToo() {
    replace(row("1", "10"), row("2", "20"));
    merge(Set.of("2"), row("2", "bad"));
    assertEquals(List.of("1:10", "2:20"), values());
    assertEquals(1, rows.problems().size());
    merge(Set.of("2"), row("2", "22"));
    assertEquals(List.of("1:10", "2:22"), values());
    assertEquals(List.of(), rows.problems());
    merge(Set.of("2"), row("2", "bad"));
    merge(Set.of("2"));
    assertEquals(List.of("1:10"), values(), "a row that is gone has no last good version");
    assertEquals(List.of(), rows.problems());
  }

  @Test
  void rowsThatCannotBeUsedAnyMoreAreFoundAndTheirOlderVersionsHold() {
    replace(row("1", "10"), row("2", "20"));
    unusable = "20";
    rows.readAgain(row -> List.of(row("2", "bad"), row("2", "19")));
    assertEquals(List.of("1:10", "2:19"), values());
    assertEquals(1, rows.problems().size());
    unusable = "";
    rows.readAgain(row -> List.of());
    assertEquals(List.of("1:10", "2:20"), values());
    assertEquals(List.of(), rows.problems());
  }

  @Test
  void rowsOfOneIdAreReportedAndTheSameOneIsUsedWhateverTheirOrder() {
    replace(row("1", "10"), row("1", "11"), row("2", "20"));
    assertEquals(List.of("1:10", "2:20"), values());
    String problem =
        "rate_limit_rules 1, id: is repeated in several rows, of which one is used: each row needs"
            + " its own";
    assertEquals(List.of(problem), rows.problems().stream().map(Object::toString).toList());
    replace(row("1", "11"), row("1", "10"), row("2", "20"));
    assertEquals(List.of("1:10", "2:20"), values());
    merge(Set.of("1"), row("1", "11"));
    assertEquals(List.of("1:11", "2:20"), values());
    assertEquals(List.of(), rows.problems());
    merge(Set.of("1"), row("1", "12"), row("1", "11"));
    assertEquals(List.of("1:11", "2:20"), values());
    assertEquals(1, rows.problems().size());
  }
}
