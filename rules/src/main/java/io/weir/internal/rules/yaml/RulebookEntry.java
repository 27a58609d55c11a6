package io.weir.internal.rules.yaml;

import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.rulebook.CostColumns;
import io.weir.internal.rules.rulebook.RuleColumns;
import io.weir.rules.OperationCost;
import io.weir.rules.Rule;
import java.util.Map;
import java.util.Optional;

/**
 * A rule or cost, of a file or of the database, so that both can be compared.
 *
 * @param section which list it belongs to
 * @param name what tells it from others of its list: tier and name, endpoint and method
 * @param columns what it says, without defaults
 * @param rule the rule, if it is one
 * @param cost the cost, if it is one
 * @param key the key of its row; 0 of a file
 * @param version the version of its row; 0 of a file
 */
record RulebookEntry(
    FileSection section,
    String name,
    Map<String, String> columns,
    Optional<Rule> rule,
    Optional<OperationCost> cost,
    String key,
    long version) {
  /**
   * Reads a row.
   *
   * @throws io.weir.rules.InvalidRuleException naming each field that is wrong
   */
  static RulebookEntry of(FileSection section, StoredRow row) {
    if (section == FileSection.RULES) {
      Rule rule = RuleColumns.read(row);
      return new RulebookEntry(
          section,
          rule.name() + " of " + rule.tier(),
          RuleColumns.write(rule),
          Optional.of(rule),
          Optional.empty(),
          row.key(),
          row.version());
    }
    OperationCost cost = CostColumns.read(row);
    return new RulebookEntry(
        section,
        "cost " + cost.endpoint() + " " + cost.method(),
        CostColumns.write(cost),
        Optional.empty(),
        Optional.of(cost),
        row.key(),
        row.version());
  }
}
