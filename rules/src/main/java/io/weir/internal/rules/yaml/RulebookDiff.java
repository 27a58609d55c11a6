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
 * What differs between the rows of a database and a file.
 *
 * <p>Immutable.
 */
public final class RulebookDiff {
  /** One entry of which rows and file don't say the same. */
  record Change(@Nullable RulebookEntry before, @Nullable RulebookEntry after) {
    RulebookEntry either() {
      return after != null ? after : Objects.requireNonNull(before);
    }
  }

  private final List<Change> changes = new ArrayList<>();
  private int unchanged;
  private final List<String> unreadable;

  RulebookDiff(
      Map<String, List<RulebookEntry>> before,
      Map<String, List<RulebookEntry>> after,
      List<String> unreadable) {
    this.unreadable = List.copyOf(unreadable);
    TreeSet<String> names = new TreeSet<>(before.keySet());
    names.addAll(after.keySet());
    for (String name : names) {
      EntryPairs.of(before.getOrDefault(name, List.of()), after.getOrDefault(name, List.of()))
          .forEach(this::add);
    }
  }

  private void add(Change pair) {
    RulebookEntry was = pair.before();
    RulebookEntry is = pair.after();
    if (was != null && is != null && was.columns().equals(is.columns())) {
      unchanged++;
    } else {
      changes.add(pair);
    }
  }

  List<Change> changes() {
    return changes;
  }

  /** How many entries are only in the file. */
  public long added() {
    return changes.stream().filter(change -> change.before() == null).count();
  }

  /** How many entries the file has otherwise. */
  public long changed() {
    return changes.size() - added() - removed();
  }

  /** How many entries are only in the database. */
  public long removed() {
    return changes.stream().filter(change -> change.after() == null).count();
  }

  /** How many entries are the same. */
  public long unchanged() {
    return unchanged;
  }

  /** A line for each entry that differs, and one that counts them. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    changes.forEach(change -> lines.add(line(change)));
    unreadable.forEach(row -> lines.add("! " + row + " can't be read, and stays as it is"));
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

  private static String line(Change change) {
    String name = change.either().name();
    RulebookEntry before = change.before();
    RulebookEntry after = change.after();
    if (before == null) {
      return "+ " + name + ": " + told(change.either().columns());
    }
    if (after == null) {
      return "- " + name;
    }
    TreeSet<String> fields = new TreeSet<>(before.columns().keySet());
    fields.addAll(after.columns().keySet());
    List<String> told = new ArrayList<>();
    for (String field : fields) {
      String was = before.columns().get(field);
      String is = after.columns().get(field);
      if (!Objects.equals(was, is)) {
        told.add(field + " " + orDefault(was) + " -> " + orDefault(is));
      }
    }
    return "~ " + name + ": " + String.join(", ", told);
  }

  private static String orDefault(@Nullable String text) {
    return text == null ? "default" : text;
  }

  private static String told(Map<String, String> columns) {
    List<String> fields = new ArrayList<>();
    new TreeMap<>(columns).forEach((field, text) -> fields.add(field + "=" + text));
    return String.join(" ", fields);
  }
}
