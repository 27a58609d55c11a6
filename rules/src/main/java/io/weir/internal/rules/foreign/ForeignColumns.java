package io.weir.internal.rules.foreign;

import io.weir.internal.rules.database.RuleTable;
import java.util.List;
import java.util.Map;

/** Names the columns that are read of foreign tables; all others are invisible. */
final class ForeignColumns {
  /** The most characters of a text; a longer one is a problem of its row. */
  static final int MAX_LENGTH = 1_000;

  /** The most characters of the own limits of a user. */
  static final int MAX_LIMITS_LENGTH = 16_000;

  static final String LIMITS = "custom_limits";

  private static final Map<RuleTable, List<String>> BY_TABLE =
      Map.of(
          RuleTable.RULES,
          List.of(
              "id",
              "tier",
              "endpoint_pattern",
              "limit_count",
              "window_seconds",
              "created_at",
              "updated_at"),
          RuleTable.USERS,
          List.of("user_id", "tier", LIMITS, "created_at", "updated_at"),
          RuleTable.COSTS,
          List.of("id", "endpoint", "method", "cost"));

  private ForeignColumns() {}

  /** Returns the tables of which there may be foreign ones. */
  static List<RuleTable> tables() {
    return List.of(RuleTable.RULES, RuleTable.USERS, RuleTable.COSTS);
  }

  /** Returns the columns that a table must have, in the order in which they are read. */
  static List<String> of(RuleTable table) {
    return BY_TABLE.getOrDefault(table, List.of());
  }

  static int maxLength(String column) {
    return column.equals(LIMITS) ? MAX_LIMITS_LENGTH : MAX_LENGTH;
  }
}
