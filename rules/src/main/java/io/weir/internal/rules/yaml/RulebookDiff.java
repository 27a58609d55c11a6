package io.weir.internal.rules.yaml;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Lists the differences between the rules and costs of a database and those of a file.
 *
 * <p>Immutable.
 */
final class RulebookDiff {
  private final List<EntryChange> changes = new ArrayList<>();
  private int unchanged;
  private final List<String> unreadable;

  RulebookDiff(
      Map<String, List<RulebookEntry>> before,
      Map<String, List<RulebookEntry>> after,
      List<String> unreadable,
      int unchanged) {
    this.unchanged = unchanged;
    this.unreadable = List.copyOf(unreadable);
    TreeSet<String> names = new TreeSet<>(before.keySet());
    names.addAll(after.keySet());
    for (String name : names) {
      EntryMatcher.of(before.getOrDefault(name, List.of()), after.getOrDefault(name, List.of()))
          .forEach(this::add);
    }
  }

  private void add(EntryChange pair) {
    if (pair.isUnchanged()) {
      unchanged++;
    } else {
      changes.add(pair);
    }
  }

  List<EntryChange> changes() {
    return changes;
  }

  /** Returns the number of entries that only the file has. */
  private long added() {
    return changes.stream().filter(change -> change.before() == null).count();
  }

  /** Returns the number of entries that differ. */
  private long changed() {
    return changes.size() - added() - removed();
  }

  /** Returns the number of entries that only the database has. */
  private long removed() {
    return changes.stream().filter(change -> change.after() == null).count();
  }

  /** Returns a line for each difference, and one that counts them. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    changes.forEach(change -> lines.add(line(change)));
    unreadable.forEach(row -> lines.add("! " + row + " can't be read, and is left unchanged"));
    lines.add(
        String.format(
            Locale.ROOT,
            "%d added, %d changed, %d removed, %d unchanged",
            added(),
            changed(),
            removed(),
            unchanged));
    return lines;
  }

  private static String line(EntryChange change) {
    String name = change.either().name();
    RulebookEntry before = change.before();
    RulebookEntry after = change.after();
    if (before == null) {
      return "+ " + name + ": " + fields(change.either().columns());
    }
    if (after == null) {
      return "- " + name;
    }
    TreeSet<String> fields = new TreeSet<>(before.columns().keySet());
    fields.addAll(after.columns().keySet());
    List<String> differences = new ArrayList<>();
    for (String field : fields) {
      String was = before.columns().get(field);
      String is = after.columns().get(field);
      if (!Objects.equals(was, is)) {
        differences.add(field + " " + orDefault(was) + " -> " + orDefault(is));
      }
    }
    return "~ " + name + ": " + String.join(", ", differences);
  }

  private static String orDefault(@Nullable String text) {
    return text == null ? "default" : text;
  }

  private static String fields(Map<String, String> columns) {
    List<String> fields = new ArrayList<>();
    new TreeMap<>(columns).forEach((field, text) -> fields.add(field + "=" + text));
    return String.join(" ", fields);
  }
}
