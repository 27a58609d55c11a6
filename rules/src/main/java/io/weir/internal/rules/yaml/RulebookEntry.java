package io.weir.internal.rules.yaml;

import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.rulebook.column.CostColumns;
import io.weir.internal.rules.rulebook.column.RuleColumns;
import io.weir.rules.OperationCost;
import io.weir.rules.Rule;
import io.weir.rules.RuleState;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Holds a rule or cost of a file or of the database, so that both can be compared.
 *
 * @param section which list it belongs to
 * @param name identifies it: tier and name, or endpoint and method; rules that don't hold at the
 *     same time may share it, see {@link EntryMatcher}
 * @param columns its columns, without defaults
 * @param key the key of its row; 0 in a file
 * @param version the version of its row; 0 in a file
 */
record RulebookEntry(
    FileListKind section,
    String name,
    Map<String, String> columns,
    Optional<Rule> rule,
    Optional<OperationCost> cost,
    String key,
    long version) {
  /**
   * Returns whether a file can't have both: rules of one name that would hold at the same time, or
   * the same cost twice.
   */
  boolean excludes(RulebookEntry other) {
    if (rule.isEmpty() || other.rule.isEmpty()) {
      return name.equals(other.name);
    }
    Rule one = rule.get();
    Rule two = other.rule.get();
    return one.tier().equals(two.tier())
        && one.name().equals(two.name())
        && begins(one).isBefore(ends(two))
        && begins(two).isBefore(ends(one));
  }

  private static Instant begins(Rule rule) {
    return rule.validFrom().orElse(Instant.MIN);
  }

  private static Instant ends(Rule rule) {
    return rule.validUntil().orElse(Instant.MAX);
  }

  /**
   * Reads a row.
   *
   * @throws io.weir.rules.problem.InvalidRuleException naming each field that is wrong
   */
  static RulebookEntry of(FileListKind section, StoredRow row) {
    if (section == FileListKind.RULES) {
      Rule rule = RuleColumns.read(row);
      return new RulebookEntry(
          section,
          rule.toBuilder().state(RuleState.ENFORCED).build().name() + " of " + rule.tier(),
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
