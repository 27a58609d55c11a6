package io.weir.internal.rules.yaml;

import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.rulebook.column.CostColumns;
import io.weir.internal.rules.rulebook.column.RuleColumns;
import java.util.List;

/** Names the lists of a file: one for each table, whose columns are the fields. */
enum FileListKind {
  RULES("rules", RuleTable.RULES, RuleColumns.NAMES),
  COSTS("costs", RuleTable.COSTS, CostColumns.NAMES);

  private final String key;
  private final RuleTable table;
  private final List<String> fields;

  FileListKind(String key, RuleTable table, List<String> fields) {
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

  /** Returns the fields in the order in which they are written. */
  List<String> fields() {
    return fields;
  }
}
