package io.weir.internal.rules.feed;

import io.weir.Policy;
import io.weir.internal.rules.database.ForeignRows;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.edit.RowHistoryReader;
import io.weir.internal.rules.edit.StoredRowReader;
import io.weir.internal.rules.rulebook.RulebookContext;
import io.weir.internal.rules.rulebook.UnusableRule;
import io.weir.internal.rules.rulebook.column.AccessColumns;
import io.weir.internal.rules.rulebook.column.CostColumns;
import io.weir.internal.rules.rulebook.column.RuleColumns;
import io.weir.internal.rules.rulebook.column.SwitchColumns;
import io.weir.internal.rules.rulebook.compile.CompiledRulebook;
import io.weir.internal.rules.rulebook.compile.KnownResults;
import io.weir.internal.rules.rulebook.compile.RulebookCompiler;
import io.weir.internal.rules.rulebook.compile.RulebookInput;
import io.weir.rules.AccessListRow;
import io.weir.rules.OperationCost;
import io.weir.rules.PolicySwitch;
import io.weir.rules.Rule;
import io.weir.rules.RuleState;
import io.weir.rules.history.RuleChange;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.problem.RulesUnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Compiles the rows to a rulebook, and puts it and the access list in force. A row that can't be
 * used keeps its last good version: the one that was in force, after a restart the newest in the
 * history, or the one in the snapshot.
 *
 * <p>Guarded by the lock of {@link RuleFeed}.
 */
public final class RulebookLoader {
  private final LastGoodRows<Rule> rules = new LastGoodRows<>(RuleColumns::read);
  private final LastGoodRows<OperationCost> costs = new LastGoodRows<>(CostColumns::read);
  private final LastGoodRows<PolicySwitch> switches = new LastGoodRows<>(SwitchColumns::read);
  private final LastGoodRows<AccessListRow> entries;

  private final LastGoodRows<Rule> foreignRules = new LastGoodRows<>(RuleColumns::read);

  private final LastGoodRows<OperationCost> foreignCosts = new LastGoodRows<>(CostColumns::read);

  /** The foreign tables that were read at all. */
  private final Set<RuleTable> foreignRead = EnumSet.noneOf(RuleTable.class);

  private final CurrentRulebook current;
  private final CurrentAccessList accessList;
  private final Optional<RulesSnapshotFile> snapshot;
  private RulebookContext application = RulebookContext.NONE;

  /** The policies that the rulebook was compiled beside. */
  private Set<Policy> bound = Set.of();

  /** Versions to fall back on, by id: those in force, at first those of the snapshot. */
  private Map<Long, Rule> lastGood = Map.of();

  /** The rows of the versions in force, for the snapshot. */
  private final Map<String, StoredRow> rowsInForce = new HashMap<>();

  private final KnownResults known = new KnownResults();
  private Map<RuleTable, List<StoredRow>> fromSnapshot = Map.of();

  /** The snapshot at the start: versions of foreign rows, which have no history. */
  private Map<RuleTable, List<StoredRow>> startedFrom = Map.of();

  private boolean isFirst = true;

  /** Whether the rulebook is compiled from the rows that are held. */
  private boolean isCompiled;

  /** Whether the access list in force has the rows that are held. */
  private boolean isAccessListCurrent;

  private List<RuleProblem> compileProblems = List.of();
  private List<RuleProblem> snapshotProblems = List.of();

  /**
   * Loads nothing yet.
   *
   * @param snapshot the file for the rows in force; empty if there is none
   */
  public RulebookLoader(
      CurrentRulebook current, CurrentAccessList accessList, Optional<Path> snapshot) {
    this.current = current;
    this.accessList = accessList;
    this.entries = new LastGoodRows<>(row -> AccessColumns.read(row, accessList::mistake));
    this.snapshot = snapshot.map(RulesSnapshotFile::new);
    this.snapshot.ifPresent(this::readSnapshot);
  }

  private void readSnapshot(RulesSnapshotFile file) {
    try {
      fromSnapshot = file.read();
      startedFrom = fromSnapshot;
    } catch (IOException unreadable) {
      snapshotProblems = List.of(snapshotProblem("can't be read: " + unreadable.getMessage()));
    }
  }

  /**
   * Compiles again beside the policies of an application, and checks the access list by its rules.
   */
  void application(RulebookContext context, RuleDatabase database) {
    application = context;
    compile();
    accessList.application(context);
    entries.readAgain(row -> olderIfReadable(database, row));
    putEntriesInForce();
  }

  private void putEntriesInForce() {
    accessList.replace(entries.values());
    isAccessListCurrent = true;
  }

  /** Compiles again if the application has other policies by now. */
  void lookAtApplication() {
    if (!bound.equals(Set.copyOf(application.boundPolicies()))) {
      compile();
    }
  }

  /**
   * Reads stale tables again, and compiles them if any row has changed. Problems may depend on more
   * than rows, so that where there are any, all is compiled.
   */
  void read(RuleDatabase database, StaleTables stale, StaleRowReader reader) {
    for (RuleTable table : StaleTables.HELD) {
      if (stale.contains(table)) {
        boolean isSame = !reader.read(table, rows(table), row -> older(database, row));
        if (table == RuleTable.ENTRIES) {
          isAccessListCurrent &= isSame;
        } else {
          isCompiled &= isSame;
        }
      }
    }
    if (!isAccessListCurrent) {
      putEntriesInForce();
    }
    if (isFirst || !isCompiled || !compileProblems.isEmpty()) {
      compile();
    } else {
      lookAtApplication();
    }
    if (isFirst && findOlderVersions(database)) {
      compile();
    }
    isFirst = false;
    fromSnapshot = Map.of();
    write();
  }

  /**
   * Takes the rows of tables that Weir didn't make, and compiles them if any has changed.
   *
   * @param rows all rows; empty if they can't be read, so that those held stay in force
   * @return what has changed since the last look; none at the first one
   */
  List<RuleChange> foreign(RuleTable table, Optional<List<StoredRow>> rows, Instant now) {
    if (rows.isEmpty()) {
      return List.of();
    }
    LastGoodRows<?> held = foreignRows(table);
    Map<String, StoredRow> before = held.byKey();
    boolean isFirstLook = foreignRead.add(table);
    if (!held.replace(rows.get().stream().map(held::sharing).toList(), row -> inSnapshot(row))) {
      return List.of();
    }
    compile();
    write();
    return isFirstLook ? List.of() : ForeignChanges.between(before, held.byKey(), now);
  }

  private LastGoodRows<?> foreignRows(RuleTable table) {
    return table == RuleTable.COSTS ? foreignCosts : foreignRules;
  }

  private static boolean isForeign(StoredRow row) {
    return row.column(ForeignRows.ORIGIN).isPresent();
  }

  private List<StoredRow> inSnapshot(StoredRow row) {
    return startedFrom.getOrDefault(row.table(), List.of()).stream()
        .filter(other -> other.key().equals(row.key()))
        .toList();
  }

  /**
   * Puts the rows of the snapshot in force.
   *
   * @return whether there are any
   */
  boolean restore() {
    if (fromSnapshot.isEmpty()) {
      return false;
    }
    for (RuleTable table : StaleTables.HELD) {
      List<StoredRow> kept = fromSnapshot.getOrDefault(table, List.of());
      rows(table).replace(kept.stream().filter(row -> !isForeign(row)).toList(), row -> List.of());
      if (table == RuleTable.RULES || table == RuleTable.COSTS) {
        foreignRows(table)
            .replace(kept.stream().filter(RulebookLoader::isForeign).toList(), row -> List.of());
      }
    }
    compile();
    putEntriesInForce();
    return true;
  }

  /** Returns the problems of rows, and of the snapshot. */
  List<RuleProblem> problems() {
    return Stream.of(
            rules.problems(),
            costs.problems(),
            foreignRules.problems(),
            foreignCosts.problems(),
            switches.problems(),
            entries.problems(),
            compileProblems,
            snapshotProblems)
        .flatMap(List::stream)
        .toList();
  }

  /**
   * Returns a warning for each switch and each rule whose policy the application doesn't have.
   *
   * @param now what has ended by then doesn't matter
   */
  List<RuleProblem> unknownPolicies(Instant now) {
    List<PolicySwitch> named =
        switches.values().stream()
            .filter(each -> !each.policy().equals(PolicySwitch.ALL) && each.until().isAfter(now))
            .toList();
    List<Rule> forPolicies =
        allRules().stream()
            .filter(Rule::isForPolicy)
            .filter(each -> each.validUntil().filter(end -> !end.isAfter(now)).isEmpty())
            .toList();
    if (named.isEmpty() && forPolicies.isEmpty()) {
      return List.of();
    }
    UnknownPolicies unknown = new UnknownPolicies(allRules(), unreadable(), application);
    List<RuleProblem> all = new ArrayList<>(unknown.among(named));
    all.addAll(unknown.amongRules(forPolicies));
    return all;
  }

  private LastGoodRows<?> rows(RuleTable table) {
    return switch (table) {
      case RULES -> rules;
      case COSTS -> costs;
      case SWITCHES -> switches;
      case ENTRIES -> entries;
      case USERS, QUOTAS, GRANTS, ANOMALIES, UPGRADES, TOKENS, SESSIONS ->
          throw new IllegalArgumentException("users are looked up one by one");
    };
  }

  private void compile() {
    bound = Set.copyOf(application.boundPolicies());
    CompiledRulebook compiled =
        RulebookCompiler.compile(
            new RulebookInput(
                allRules(),
                both(costs.values(), foreignCosts.values()),
                switches.values(),
                lastGood,
                unreadable(),
                application),
            known);
    compileProblems = compiled.problems();
    lastGood = compiled.rulebook().inForce();
    if (snapshot.isPresent()) {
      keepRows(lastGood);
    }
    isCompiled = true;
    current.replace(compiled.rulebook());
  }

  private List<Rule> allRules() {
    return both(rules.values(), foreignRules.values());
  }

  private List<UnusableRule> unreadable() {
    return both(rules.unreadable(UnusableRule::of), foreignRules.unreadable(UnusableRule::of));
  }

  private static <T> List<T> both(List<T> own, List<T> foreign) {
    return foreign.isEmpty() ? own : Stream.concat(own.stream(), foreign.stream()).toList();
  }

  private void keepRows(Map<Long, Rule> inForce) {
    rowsInForce.keySet().retainAll(keys(inForce.keySet()));
    keepRows(rules, inForce);
    keepRows(foreignRules, inForce);
  }

  private void keepRows(LastGoodRows<Rule> held, Map<Long, Rule> inForce) {
    held.goodByKey()
        .forEach(
            (key, good) -> {
              if (inForce.get(good.value().id()) == good.value()) {
                rowsInForce.put(key, good.row());
              }
            });
  }

  private static Set<String> keys(Set<Long> ids) {
    Set<String> keys = new HashSet<>();
    ids.forEach(id -> keys.add(Long.toString(id)));
    return keys;
  }

  /** After a restart: earlier versions of rows that can be read, but not be used. */
  private boolean findOlderVersions(RuleDatabase database) {
    Map<Long, Rule> found = new HashMap<>(lastGood);
    for (Rule rule : rules.values()) {
      if (rule.state() != RuleState.DRAFT && !lastGood.containsKey(rule.id())) {
        StoredRow row = new StoredRow(RuleTable.RULES, Long.toString(rule.id()), Map.of());
        List<StoredRow> versions = older(database, row);
        versions.removeIf(version -> version.version() == rule.version());
        Optional<Rule> earlier = StoredRowReader.newest(versions, RuleColumns::read);
        earlier.ifPresent(version -> found.put(rule.id(), version));
      }
    }
    boolean isAny = found.size() > lastGood.size();
    lastGood = Map.copyOf(found);
    return isAny;
  }

  private List<StoredRow> older(RuleDatabase database, StoredRow row) {
    List<StoredRow> versions =
        new ArrayList<>(
            RowHistoryReader.versions(database.changesOf(row.table().tableName(), row.key())));
    fromSnapshot.getOrDefault(row.table(), List.of()).stream()
        .filter(other -> other.key().equals(row.key()))
        .forEach(versions::add);
    return versions;
  }

  /** As {@link #older}; none while the database is away. */
  private List<StoredRow> olderIfReadable(RuleDatabase database, StoredRow row) {
    try {
      return older(database, row);
    } catch (RulesUnavailableException away) {
      return List.of();
    }
  }

  private void write() {
    if (snapshot.isEmpty()) {
      return;
    }
    Map<RuleTable, List<StoredRow>> rows = new EnumMap<>(RuleTable.class);
    rows.put(RuleTable.RULES, List.copyOf(rowsInForce.values()));
    rows.put(RuleTable.COSTS, both(costs.goodRows(), foreignCosts.goodRows()));
    rows.put(RuleTable.SWITCHES, switches.goodRows());
    rows.put(RuleTable.ENTRIES, entries.goodRows());
    try {
      snapshot.get().write(rows);
      snapshotProblems = List.of();
    } catch (IOException failed) {
      snapshotProblems = List.of(snapshotProblem("can't be written: " + failed.getMessage()));
    }
  }

  private static RuleProblem snapshotProblem(String message) {
    return new RuleProblem("weir.rules.snapshot", "the file", "", message, true);
  }
}
