package io.weir.internal.control.admin;

import io.weir.internal.control.json.Json;
import io.weir.internal.control.resource.Described;
import io.weir.internal.rules.database.RuleTable;
import io.weir.rules.Buckets;
import io.weir.rules.history.RuleChange;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A change of a row in JSON. */
record ChangeDocument(
    long number,
    Instant at,
    String by,
    String table,
    String rowKey,
    @Described("The row before; null if it is new") @Nullable Object before,
    @Described("The row after; null if it was deleted") @Nullable Object after) {
  /** What was decided of a request isn't undone by its row, and what was revoked stays so. */
  private static final Set<String> STAYS =
      Set.of(
          RuleTable.UPGRADES.tableName(),
          RuleTable.ANOMALIES.tableName(),
          RuleTable.TOKENS.tableName(),
          RuleTable.SESSIONS.tableName(),
          Buckets.CHANGES);

  static boolean comesBack(String table) {
    return !STAYS.contains(table);
  }

  static ChangeDocument of(RuleChange change) {
    return new ChangeDocument(
        change.number(),
        change.at(),
        change.by(),
        change.table(),
        change.rowKey(),
        change.before().map(ChangeDocument::row).orElse(null),
        change.after().map(ChangeDocument::row).orElse(null));
  }

  private static Object row(String json) {
    try {
      return Json.parse(json.getBytes(StandardCharsets.UTF_8));
    } catch (IllegalArgumentException notOurs) {
      return json;
    }
  }
}
