package io.weir.internal.rules.feed;

import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.edit.StoredRowReader;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The rows of one table as they were read last, and of each the last version that could be used.
 *
 * <p>Guarded by the lock of {@link RuleFeed}.
 *
 * @param <T> the content of a row
 */
final class LastGoodRows<T> {
  /** A version of a row that could be used. */
  record Good<T>(StoredRow row, T value) {}

  private final Function<StoredRow, T> reader;
  private Map<String, StoredRow> rows = new LinkedHashMap<>();
  private final Map<String, Good<T>> good = new HashMap<>();
  private final Map<String, List<RuleProblem>> problems = new LinkedHashMap<>();

  /** The keys that several rows have, in a table without a primary key. */
  private final Set<String> duplicates = new TreeSet<>();

  LastGoodRows(Function<StoredRow, T> reader) {
    this.reader = reader;
  }

  /**
   * Replaces the rows. One that can't be read keeps its last good version; for a row that has none
   * yet, older versions are asked for, the newest first.
   *
   * @return whether any row has changed
   */
  boolean replace(Collection<StoredRow> now, Function<StoredRow, List<StoredRow>> older) {
    if (List.copyOf(rows.values()).equals(List.copyOf(now))) {
      return false;
    }
    Map<String, StoredRow> next = new LinkedHashMap<>();
    Set<String> repeated = new HashSet<>();
    for (StoredRow row : now) {
      StoredRow first = next.get(row.key());
      if (first != null) {
        repeated.add(row.key());
      }
      if (first == null || text(row).compareTo(text(first)) < 0) { // whatever the order
        next.put(row.key(), row);
      }
    }
    next.replaceAll((key, row) -> held(row, older));
    duplicates.clear();
    duplicates.addAll(repeated);
    good.keySet().retainAll(next.keySet());
    problems.keySet().retainAll(next.keySet());
    rows = next;
    return true;
  }

  /**
   * Replaces some of the rows.
   *
   * @param now those of them that still exist
   */
  void merge(
      Set<String> keys, Collection<StoredRow> now, Function<StoredRow, List<StoredRow>> older) {
    Set<String> gone = new HashSet<>(keys);
    duplicates.removeAll(keys);
    for (StoredRow row : now) {
      boolean isFirst = gone.remove(row.key());
      if (!isFirst) {
        duplicates.add(row.key());
      }
      StoredRow other = rows.get(row.key());
      if (isFirst || other == null || text(row).compareTo(text(other)) < 0) {
        rows.put(row.key(), held(row, older));
      }
    }
    good.keySet().removeAll(gone);
    problems.keySet().removeAll(gone);
    rows.keySet().removeAll(gone);
  }

  /** Reads all rows again, where it depends on more than rows whether one can be used. */
  void readAgain(Function<StoredRow, List<StoredRow>> older) {
    good.clear();
    problems.clear();
    rows.values().forEach(row -> read(row, older));
  }

  private static String text(StoredRow row) {
    return new TreeMap<>(row.columns()).toString();
  }

  /** Returns the held row if it is equal, else one that shares what hasn't changed with it. */
  StoredRow sharing(StoredRow row) {
    StoredRow held = rows.get(row.key());
    if (held == null) {
      return row;
    }
    return row.equals(held) ? held : row.sharing(held);
  }

  /** Returns the row to hold, which is read if it differs from the one that is held. */
  @SuppressWarnings("ReferenceEquality") // an equal row is the one that is held
  private StoredRow held(StoredRow row, Function<StoredRow, List<StoredRow>> older) {
    StoredRow shared = sharing(row);
    if (shared != rows.get(row.key())) {
      read(shared, older);
    }
    return shared;
  }

  private void read(StoredRow row, Function<StoredRow, List<StoredRow>> older) {
    try {
      good.put(row.key(), new Good<>(row, StoredRowReader.read(row, reader)));
      problems.remove(row.key());
    } catch (InvalidRuleException bad) {
      problems.put(row.key(), bad.problems());
      if (!good.containsKey(row.key())) {
        StoredRowReader.newest(
                older.apply(row), version -> new Good<>(version, reader.apply(version)))
            .ifPresent(found -> good.put(row.key(), found));
      }
    }
  }

  /** Returns the content of each row, or of its last good version; in the order of the rows. */
  List<T> values() {
    List<T> values = new ArrayList<>(good.size());
    for (String key : rows.keySet()) {
      Good<T> version = good.get(key);
      if (version != null) {
        values.add(version.value());
      }
    }
    return values;
  }

  /** Returns a copy of the rows as they were read last, by key. */
  Map<String, StoredRow> byKey() {
    return Map.copyOf(rows);
  }

  Map<String, Good<T>> goodByKey() {
    return good;
  }

  List<StoredRow> goodRows() {
    return good.values().stream().map(Good::row).toList();
  }

  /** Describes the current rows that can't be read, with their problems. */
  <U> List<U> unreadable(BiFunction<StoredRow, List<RuleProblem>, U> made) {
    List<U> all = new ArrayList<>();
    problems.forEach((key, wrong) -> all.add(made.apply(rows.get(key), wrong)));
    return all;
  }

  private static RuleProblem duplicate(StoredRow row) {
    return new RuleProblem(
        row.table().tableName(),
        row.table().shown(row.key()),
        row.table().keyColumn(),
        "is repeated in several rows, of which one is used: each row needs its own",
        true);
  }

  List<RuleProblem> problems() {
    List<RuleProblem> all = new ArrayList<>();
    problems.values().forEach(all::addAll);
    rows.values().stream()
        .filter(row -> duplicates.contains(row.key()))
        .forEach(row -> all.add(duplicate(row)));
    return all;
  }
}
