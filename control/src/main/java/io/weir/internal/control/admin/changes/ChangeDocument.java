package io.weir.internal.control.admin.changes;

import io.weir.internal.control.json.Json;
import io.weir.internal.control.json.JsonRecords;
import io.weir.internal.control.resource.Described;
import io.weir.internal.rules.database.RuleTable;
import io.weir.rules.Buckets;
import io.weir.rules.history.RuleChange;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A change of a row. */
record ChangeDocument(
    long number,
    Instant at,
    String by,
    String table,
    String rowKey,
    @Described("The row before the change; null if it was added") @Nullable Object before,
    @Described("The row after the change; null if it was deleted") @Nullable Object after) {
  /** Restoring a row wouldn't undo a decision, and must not revive a revoked token. */
  private static final Set<String> NOT_RESTORABLE =
      Set.of(
          RuleTable.UPGRADES.tableName(),
          RuleTable.ANOMALIES.tableName(),
          RuleTable.TOKENS.tableName(),
          RuleTable.SESSIONS.tableName(),
          Buckets.CHANGES);

  static boolean isRestorable(String table) {
    return !NOT_RESTORABLE.contains(table);
  }

  static ChangeDocument of(RuleChange change) {
    Map<String, Object> members = JsonRecords.members(change);
    change.before().ifPresent(json -> members.put("before", Json.parseIfAny(json)));
    change.after().ifPresent(json -> members.put("after", Json.parseIfAny(json)));
    return JsonRecords.of(ChangeDocument.class, members);
  }
}
