package io.weir.internal.control.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonRecordsTest {
  private record Stored(String user, long count, TimeUnit unit, Optional<Instant> end) {}

  private record Document(
      long count, @Nullable Instant end, String unit, String user, @Nullable Long version) {}

  @Test
  void copiesMembersByName() {
    Stored ended = new Stored("ann", 7, TimeUnit.DAYS, Optional.of(Instant.EPOCH));
    Stored endless = new Stored("bob", 8, TimeUnit.HOURS, Optional.empty());

    assertEquals(
        List.of(
            new Document(7, Instant.EPOCH, "DAYS", "ann", null),
            new Document(8, null, "HOURS", "bob", null)),
        List.of(ended, endless).stream().map(JsonRecords.to(Document.class)).toList());
  }

  private record StoredPart(TimeUnit unit, long unshown) {}

  private record StoredWhole(
      Optional<StoredPart> first, List<StoredPart> parts, OptionalLong most, int day) {}

  private record Part(String unit) {}

  private record Whole(
      @Nullable Part first, List<Part> parts, @Nullable Long most, @Nullable Long day) {}

  @Test
  void copiesRecordsInRecordsAndBoxesNumbers() {
    StoredPart days = new StoredPart(TimeUnit.DAYS, 1);

    assertEquals(
        List.of(
            new Whole(new Part("DAYS"), List.of(new Part("DAYS")), 9L, 31L),
            new Whole(null, List.of(), null, 1L)),
        JsonRecords.copies(
            List.of(
                new StoredWhole(Optional.of(days), List.of(days), OptionalLong.of(9), 31),
                new StoredWhole(Optional.empty(), List.of(), OptionalLong.empty(), 1)),
            Whole.class));
  }

  @Test
  void keepsTheOrderOfMembers() {
    List<String> names = List.of("count", "end", "unit", "user", "version");
    assertEquals(names, JsonRecords.names(Document.class));
    assertEquals(
        names,
        List.copyOf(
            JsonRecords.members(new Document(1, Instant.EPOCH, "DAYS", "ann", 2L)).keySet()));
  }

  @Test
  void refusesARecordWithoutItsNumbers() {
    Map<String, Object> members = Map.of("user", "ann");
    assertThrows(IllegalArgumentException.class, () -> JsonRecords.of(Document.class, members));
  }

  @Test
  void namesMembersAfterColumns() {
    assertEquals("onStoreFailure", JsonRecords.camelCase("on_store_failure"));
    assertEquals("tier", JsonRecords.camelCase("tier"));
  }
}
