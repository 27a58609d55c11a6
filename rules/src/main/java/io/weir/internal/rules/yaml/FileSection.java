package io.weir.internal.rules.yaml;

import io.weir.internal.rules.database.RuleTable;
import java.util.List;

/** What a file has lists of: a table each, whose columns are the fields. */
enum FileSection {
  /** Rules. */
  RULES(
      "rules",
      RuleTable.RULES,
      List.of(
          "tier",
          "endpoint_pattern",
          "name",
          "methods",
          "limit_count",
          "window_seconds",
          "period",
          "zone",
          "algorithm",
          "mode",
          "exceed_by",
          "burst",
          "refill",
          "strict",
          "count_by",
          "per_endpoint",
          "counts",
          "cost",
          "cost_from",
          "condition",
          "overshoot",
          "max_rollover",
          "on_store_failure",
          "priority",
          "state",
          "valid_from",
          "valid_until")),
  /** Costs by endpoint and method. */
  COSTS("costs", RuleTable.COSTS, List.of("endpoint", "method", "cost"));

  private final String key;
  private final RuleTable table;
  private final List<String> fields;

  FileSection(String key, RuleTable table, List<String> fields) {
    this.key = key;
    this.table = table;
    this.fields = fields;
  }

  String key() {
    return key;
  }

  RuleTable table() {
    return table;
  }

  /** In the order in which they are written. */
  List<String> fields() {
    return fields;
  }
}
