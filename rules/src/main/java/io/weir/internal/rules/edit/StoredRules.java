package io.weir.internal.rules.edit;

import io.weir.internal.rules.database.ForeignKeys;
import io.weir.internal.rules.database.RowWrite;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.rulebook.column.RuleColumns;
import io.weir.rules.Rule;
import io.weir.rules.RuleRepository;
import io.weir.rules.problem.RuleProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The rows of {@code rate_limit_rules}, checked against the rulebook in force. */
public final class StoredRules implements RuleRepository {
  private static final Comparator<Rule> ORDER =
      Comparator.comparing(Rule::tier)
          .thenComparing(Rule::pattern)
          .thenComparing(
              rule -> rule.window().length().map(length -> length.toSeconds()).orElse(0L))
          .thenComparing(Rule::id);

  private final VersionedRowEditor rows;
  private final Function<Rule, List<RuleProblem>> checks;

  /**
   * Opens the rules.
   *
   * @param rows the rows
   * @param checks finds the problems of a rule under those in force, and warnings for its author
   */
  public StoredRules(VersionedRowEditor rows, Function<Rule, List<RuleProblem>> checks) {
    this.rows = rows;
    this.checks = checks;
  }

  @Override
  public List<Rule> all() {
    return Stream.concat(
            rows.all(RuleTable.RULES).stream(), rows.foreign().all(RuleTable.RULES).stream())
        .flatMap(row -> StoredRowReader.value(row, RuleColumns::read).stream())
        .sorted(ORDER)
        .toList();
  }

  @Override
  public Optional<Rule> find(long id) {
    String key = Long.toString(id);
    return (ForeignKeys.isForeign(id)
            ? rows.foreign().find(RuleTable.RULES, key)
            : rows.find(RuleTable.RULES, key))
        .flatMap(row -> StoredRowReader.value(row, RuleColumns::read));
  }

  @Override
  public List<RuleProblem> check(Rule rule) {
    return checks.apply(rule);
  }

  @Override
  public Rule save(Rule rule, String author) {
    StoredRowReader.refuse(check(rule));
    Map<String, String> columns = RuleColumns.write(rule);
    StoredRow row =
        rule.id() == 0
            ? rows.insert(RuleTable.RULES, columns, author)
            : rows.replace(
                RuleTable.RULES, Long.toString(rule.id()), rule.version(), columns, author);
    return RuleColumns.read(row);
  }

  @Override
  public List<Rule> saveAll(List<Rule> rules, String author) {
    List<RuleProblem> problems = new ArrayList<>();
    rules.forEach(rule -> problems.addAll(check(rule)));
    StoredRowReader.refuse(problems);
    List<RowWrite> changes = new ArrayList<>(rules.size());
    for (Rule rule : rules) {
      Optional<StoredRow> seen =
          rule.id() == 0
              ? Optional.empty()
              : Optional.of(
                  rows.toReplace(RuleTable.RULES, Long.toString(rule.id()), rule.version()));
      changes.add(new RowWrite(RuleTable.RULES, seen, RuleColumns.write(rule)));
    }
    return rows.write(changes, author).stream().map(RuleColumns::read).toList();
  }

  @Override
  public void delete(long id, long version, String author) {
    rows.delete(RuleTable.RULES, Long.toString(id), version, author);
  }
}
