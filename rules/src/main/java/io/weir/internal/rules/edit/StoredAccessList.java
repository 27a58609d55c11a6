package io.weir.internal.rules.edit;

import io.weir.Ticker;
import io.weir.access.AccessAction;
import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.internal.rules.database.BanRows;
import io.weir.internal.rules.database.RowFilter;
import io.weir.internal.rules.database.RowWrite;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.rulebook.column.AccessColumns;
import io.weir.internal.rules.rulebook.column.RowProblems;
import io.weir.rules.AccessListRepository;
import io.weir.rules.AccessListRow;
import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.RuleProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The rows of {@code access_list}, checked by the rules of the application. */
public final class StoredAccessList implements AccessListRepository {
  private static final RuleTable TABLE = RuleTable.ENTRIES;

  private final VersionedRowEditor rows;
  private final Supplier<List<AccessListRow>> current;
  private final Function<AccessSubject, Optional<String>> mistake;
  private final Ticker ticker;

  /**
   * Opens the access list.
   *
   * @param mistake finds the rule of the application that a subject breaks
   */
  public StoredAccessList(
      VersionedRowEditor rows,
      Supplier<List<AccessListRow>> current,
      Function<AccessSubject, Optional<String>> mistake,
      Ticker ticker) {
    this.rows = rows;
    this.current = current;
    this.mistake = mistake;
    this.ticker = ticker;
  }

  @Override
  public List<AccessListRow> list(Optional<AccessAction> action, long before, int most) {
    if (most < 1 || most > MAX_ROWS) {
      throw new IllegalArgumentException("1 to 1,000 entries can be read, not " + most);
    }
    return page(
        action.map(each -> Map.of(AccessColumns.ACTION, each.name())).orElse(Map.of()),
        before,
        most);
  }

  private List<AccessListRow> page(Map<String, String> equal, long before, int most) {
    RowFilter filter = new RowFilter(equal, "", Optional.of(Long.toString(before)), true, most);
    return rows.some(TABLE, filter).stream().flatMap(row -> value(row).stream()).toList();
  }

  /** A row that breaks a rule of the application is shown nevertheless, to be changed. */
  private static Optional<AccessListRow> value(StoredRow row) {
    return StoredRowReader.value(row, StoredAccessList::read);
  }

  private static AccessListRow read(StoredRow row) {
    return AccessColumns.read(row, subject -> Optional.empty());
  }

  @Override
  public List<AccessListRow> of(AccessSubject subject) {
    Stream<String> texts =
        subject.type() == AccessSubject.Type.ADDRESS
            ? Stream.of(subject.toString(), subject.value())
            : Stream.of(subject.toString());
    return texts
        .flatMap(
            text -> page(Map.of(AccessColumns.SUBJECT, text), Long.MAX_VALUE, MAX_ROWS).stream())
        .sorted(Comparator.comparing(AccessListRow::id).reversed())
        .limit(MAX_ROWS)
        .toList();
  }

  @Override
  public Optional<AccessListRow> find(long id) {
    return rows.find(TABLE, Long.toString(id)).flatMap(StoredAccessList::value);
  }

  @Override
  public OptionalLong version(long id) {
    return rows.find(TABLE, Long.toString(id)).stream().mapToLong(StoredRow::version).findFirst();
  }

  @Override
  public List<RuleProblem> check(AccessListRow row) {
    AccessEntry entry = row.entry();
    RowProblems problems = new RowProblems(TABLE, row.id() == 0 ? "a new row" : "id " + row.id());
    if (entry.action() == AccessAction.BAN || row.policy().isPresent()) {
      problems.wrong(AccessColumns.ACTION, "must be DENY or ALLOW: bans are made by Weir");
    }
    mistake.apply(entry.subject()).ifPresent(rule -> problems.wrong(AccessColumns.SUBJECT, rule));
    entry
        .end()
        .filter(end -> !end.isAfter(ticker.instant()))
        .ifPresent(end -> problems.warn("valid_until", "the entry has ended at " + end));
    current.get().stream()
        .filter(other -> other.id() != row.id() && isSame(other.entry(), entry))
        .findFirst()
        .ifPresent(
            other ->
                problems.warn(
                    AccessColumns.SUBJECT,
                    "row " + other.id() + " has the same action and subject, and stays"));
    return problems.all();
  }

  private static boolean isSame(AccessEntry one, AccessEntry other) {
    return one.action() == other.action() && one.subject().equals(other.subject());
  }

  @Override
  public List<AccessListRow> change(
      List<AccessListRow> wanted, List<AccessListRow> deleted, String author) {
    StoredRowReader.refuse(wanted.stream().flatMap(row -> check(row).stream()).toList());
    List<RowWrite> changes = new ArrayList<>();
    for (AccessListRow row : wanted) {
      Optional<StoredRow> seen = row.id() == 0 ? Optional.empty() : Optional.of(replaced(row));
      changes.add(new RowWrite(TABLE, seen, AccessColumns.write(row.entry())));
    }
    deleted.forEach(row -> changes.add(RowWrite.delete(seen(row))));
    return rows.write(changes, author).stream().map(StoredAccessList::read).toList();
  }

  private StoredRow replaced(AccessListRow row) {
    StoredRow seen = seen(row);
    if (BanRows.is(seen)) {
      throw new ConflictException(
          "access_list id " + seen.key() + " is a ban, which can only be lifted");
    }
    return seen;
  }

  private StoredRow seen(AccessListRow row) {
    return rows.toReplace(TABLE, Long.toString(row.id()), row.version());
  }

  @Override
  public void delete(long id, long version, String author) {
    rows.delete(TABLE, Long.toString(id), version, author);
  }
}
