package io.weir.internal.rules.yaml;

import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.edit.StoredRowReader;
import io.weir.internal.rules.edit.VersionedRowEditor;
import io.weir.internal.rules.rulebook.compile.RulebookCompiler;
import io.weir.internal.rules.rulebook.compile.RulebookInput;
import io.weir.rules.OperationCost;
import io.weir.rules.Rule;
import io.weir.rules.RulebookYaml;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Exports the rulebook as a file, and applies a file to the database. A file has rules and costs,
 * but no users and switches, which change from day to day; users are private, too.
 */
public final class RulebookImportExport implements RulebookYaml {
  private final VersionedRowEditor rows;

  public RulebookImportExport(VersionedRowEditor rows) {
    this.rows = rows;
  }

  @Override
  public String export() {
    List<RulebookEntry> entries =
        stored(new ArrayList<>()).values().stream().flatMap(List::stream).toList();
    Map<FileListKind, List<Map<String, String>>> sections = new EnumMap<>(FileListKind.class);
    for (FileListKind section : FileListKind.values()) {
      sections.put(
          section,
          entries.stream()
              .filter(entry -> entry.section() == section)
              .map(RulebookEntry::columns)
              .toList());
    }
    return YamlWriter.write(sections);
  }

  @Override
  public List<String> compare(String yaml) {
    return difference(yaml).lines();
  }

  private RulebookDiff difference(String yaml) {
    Map<String, List<RulebookEntry>> wanted = wanted(yaml);
    List<String> unreadable = new ArrayList<>();
    Map<String, List<RulebookEntry>> stored = stored(unreadable);
    int unchanged = leaveOutForeign(wanted, stored.keySet());
    return new RulebookDiff(stored, wanted, unreadable, unchanged);
  }

  /**
   * Leaves out the entries that a table that Weir didn't make has as well, unless Weir has one of
   * that name itself. Foreign rows that the file doesn't have are none of its business.
   *
   * @return how many were left out
   * @throws io.weir.rules.problem.ConflictException if the file would change a foreign row
   */
  private int leaveOutForeign(Map<String, List<RulebookEntry>> wanted, Set<String> own) {
    Map<String, List<RulebookEntry>> foreign = new TreeMap<>();
    for (FileListKind section : FileListKind.values()) {
      for (StoredRow row : rows.foreign().all(section.table())) {
        StoredRowReader.value(row, each -> RulebookEntry.of(section, each))
            .filter(entry -> wanted.containsKey(entry.name()) && !own.contains(entry.name()))
            .ifPresent(
                entry ->
                    foreign.computeIfAbsent(entry.name(), any -> new ArrayList<>()).add(entry));
      }
    }
    int leftOut = 0;
    for (Map.Entry<String, List<RulebookEntry>> each : foreign.entrySet()) {
      for (RulebookEntry entry : wanted.getOrDefault(each.getKey(), List.of())) {
        if (each.getValue().stream().noneMatch(row -> row.columns().equals(entry.columns()))) {
          RulebookEntry row = each.getValue().get(0);
          throw VersionedRowEditor.foreignRow(row.section().table(), row.name(), origin(row));
        }
        leftOut++;
      }
      wanted.remove(each.getKey());
    }
    return leftOut;
  }

  private static String origin(RulebookEntry foreign) {
    return foreign
        .rule()
        .flatMap(Rule::origin)
        .or(() -> foreign.cost().flatMap(OperationCost::origin))
        .orElse("another table");
  }

  /**
   * {@inheritDoc}
   *
   * <p>Each row is changed from the version that was compared. Rows are added before others are
   * removed, so that no limit is missing at any time.
   */
  @Override
  public List<String> apply(String yaml, String author) {
    RulebookDiff diff = difference(yaml);
    for (EntryChange change : diff.changes()) {
      RulebookEntry before = change.before();
      RulebookEntry after = change.after();
      if (after != null && before != null) {
        rows.replace(
            before.section().table(), before.key(), before.version(), after.columns(), author);
      } else if (after != null) {
        rows.insert(after.section().table(), after.columns(), author);
      }
    }
    for (EntryChange change : diff.changes()) {
      RulebookEntry before = change.before();
      if (change.after() == null && before != null) {
        rows.delete(before.section().table(), before.key(), before.version(), author);
      }
    }
    return diff.lines();
  }

  private Map<String, List<RulebookEntry>> stored(List<String> unreadable) {
    Map<String, List<RulebookEntry>> entries = new TreeMap<>();
    for (FileListKind section : FileListKind.values()) {
      for (StoredRow row : rows.all(section.table())) {
        try {
          RulebookEntry entry = StoredRowReader.read(row, each -> RulebookEntry.of(section, each));
          entries.computeIfAbsent(entry.name(), any -> new ArrayList<>(1)).add(entry);
        } catch (InvalidRuleException bad) {
          unreadable.add(row.table().tableName() + " " + row.key());
        }
      }
    }
    return entries;
  }

  private static Map<String, List<RulebookEntry>> wanted(String yaml) {
    List<String> mistakes = new ArrayList<>();
    Map<String, List<RulebookEntry>> wanted = new TreeMap<>();
    IdentityHashMap<RulebookEntry, Integer> lines = new IdentityHashMap<>();
    for (FileEntry entry : RulebookParser.read(yaml)) {
      try {
        RulebookEntry read = RulebookEntry.of(entry.section(), entry.row());
        List<RulebookEntry> named = wanted.computeIfAbsent(read.name(), any -> new ArrayList<>(1));
        named.stream()
            .filter(read::excludes)
            .findFirst()
            .map(lines::get)
            .ifPresent(
                line -> mistakes.add(at(entry.line(), read.name() + " is also on line " + line)));
        named.add(read);
        lines.put(read, entry.line());
      } catch (InvalidRuleException bad) {
        for (RuleProblem problem : bad.problems()) {
          mistakes.add(at(entry.lineOf(problem.field()), sentence(problem)));
        }
      }
    }
    if (mistakes.isEmpty()) {
      checkTogether(lines, mistakes);
    }
    if (!mistakes.isEmpty()) {
      throw new RulebookFileException(mistakes);
    }
    return wanted;
  }

  /** Finds mistakes of rules that can be read, but not together. */
  private static void checkTogether(
      IdentityHashMap<RulebookEntry, Integer> lines, List<String> mistakes) {
    Map<String, Integer> byName = new HashMap<>();
    List<Rule> rules = new ArrayList<>();
    lines.forEach(
        (entry, line) ->
            entry
                .rule()
                .ifPresent(
                    rule -> {
                      byName.merge(rule.name() + " of " + rule.tier(), line, Math::min);
                      rules.add(rule);
                    }));
    for (RuleProblem problem : RulebookCompiler.compile(RulebookInput.of(rules)).problems()) {
      if (!problem.isWarning()) {
        mistakes.add(
            at(byName.getOrDefault(problem.row(), 1), problem.row() + ", " + sentence(problem)));
      }
    }
  }

  private static String sentence(RuleProblem problem) {
    return (problem.field().isEmpty() ? "" : problem.field() + " ") + problem.message();
  }

  private static String at(int line, String message) {
    return "line " + line + ": " + message;
  }
}
