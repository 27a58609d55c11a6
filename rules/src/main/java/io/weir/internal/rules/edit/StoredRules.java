package io.weir.internal.rules.edit;

import io.weir.internal.rules.database.ForeignKeys;
import io.weir.internal.rules.database.RowWrite;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.rulebook.Rulebook;
import io.weir.internal.rules.rulebook.column.RuleColumns;
import io.weir.internal.rules.rulebook.compile.RuleCheck;
import io.weir.rules.Rule;
import io.weir.rules.RuleRepository;
import io.weir.rules.problem.RuleProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
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
  private final Supplier<Rulebook> current;

  public StoredRules(VersionedRowEditor rows, Supplier<Rulebook> current) {
    this.rows = rows;
    this.current = current;
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
  public OptionalLong version(long id) {
    return ForeignKeys.isForeign(id)
        ? OptionalLong.empty()
        : rows.find(RuleTable.RULES, Long.toString(id)).stream()
            .mapToLong(StoredRow::version)
            .findFirst();
  }

  @Override
  public List<List<RuleProblem>> check(List<Rule> wanted, List<Rule> deleted) {
    return RuleCheck.check(wanted, deleted, current.get());
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
  public List<Rule> change(List<Rule> wanted, List<Rule> deleted, String author) {
    StoredRowReader.refuse(check(wanted, deleted).stream().flatMap(List::stream).toList());
    List<RowWrite> changes = new ArrayList<>();
    for (Rule rule : wanted) {
      Optional<StoredRow> seen = rule.id() == 0 ? Optional.empty() : Optional.of(seen(rule));
      changes.add(new RowWrite(RuleTable.RULES, seen, RuleColumns.write(rule)));
    }
    deleted.forEach(rule -> changes.add(RowWrite.delete(seen(rule))));
    return rows.write(changes, author).stream().map(RuleColumns::read).toList();
  }

  private StoredRow seen(Rule rule) {
    return rows.toReplace(RuleTable.RULES, Long.toString(rule.id()), rule.version());
  }

  @Override
  public void delete(long id, long version, String author) {
    rows.delete(RuleTable.RULES, Long.toString(id), version, author);
  }
}
