package io.weir.internal.rules.feed;

import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The tables that have changed and weren't read since, and which of their rows.
 *
 * <p>Guarded by the lock of {@link RuleFeed}.
 */
final class StaleTables {
  /** The tables of which all rows are held. */
  static final Set<RuleTable> HELD =
      Set.of(RuleTable.RULES, RuleTable.COSTS, RuleTable.SWITCHES, RuleTable.ENTRIES);

  private final Set<RuleTable> whole = EnumSet.noneOf(RuleTable.class);
  private final Map<RuleTable, Set<String>> rows = new EnumMap<>(RuleTable.class);

  /** Any row may have changed. */
  void addAll(Collection<RuleTable> tables) {
    whole.addAll(tables);
    tables.forEach(rows::remove);
  }

  void add(RuleTable table, String key) {
    if (!whole.contains(table)) {
      Set<String> keys = rows.computeIfAbsent(table, any -> new HashSet<>());
      keys.add(key);
      if (keys.size() > RuleDatabase.MAX_KEYS) {
        addAll(Set.of(table));
      }
    }
  }

  boolean isEmpty() {
    return whole.isEmpty() && rows.isEmpty();
  }

  boolean contains(RuleTable table) {
    return whole.contains(table) || rows.containsKey(table);
  }

  /** Returns whether any row of all these tables may have changed. */
  boolean areWhole(Collection<RuleTable> tables) {
    return whole.containsAll(tables);
  }

  /** Returns the keys of the changed rows of a table; empty if any may have changed. */
  Optional<Set<String>> rows(RuleTable table) {
    return Optional.ofNullable(rows.get(table)).map(Set::copyOf);
  }

  void remove(RuleTable table) {
    whole.remove(table);
    rows.remove(table);
  }
}
