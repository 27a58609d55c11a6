package io.weir.internal.rules.feed;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.internal.rules.database.OwnerOnlyAttributes;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A file with the rows in force, for a start while the database is away: rules, costs, switches and
 * the access list, no tiers of users. Only its owner may read it. It is replaced as a whole, so
 * that it is never half written.
 *
 * <p>Confine to one thread at a time.
 */
final class RulesSnapshotFile {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final TypeReference<Map<String, Map<String, Map<String, String>>>> ROWS =
      new TypeReference<>() {};

  private final Path file;
  private Map<RuleTable, List<StoredRow>> written = Map.of();

  RulesSnapshotFile(Path file) {
    this.file = file.toAbsolutePath();
  }

  /**
   * Returns the rows in the file.
   *
   * @return none if there is no file
   * @throws IOException if it can't be read, or isn't a snapshot
   */
  Map<RuleTable, List<StoredRow>> read() throws IOException {
    byte[] content;
    try {
      content = Files.readAllBytes(file);
    } catch (NoSuchFileException none) {
      return Map.of();
    }
    Map<String, Map<String, Map<String, String>>> tables = JSON.readValue(content, ROWS);
    Map<RuleTable, List<StoredRow>> rows = new EnumMap<>(RuleTable.class);
    for (RuleTable table : RuleTable.values()) {
      List<StoredRow> ofTable = new ArrayList<>();
      tables
          .getOrDefault(table.tableName(), Map.of())
          .forEach((key, columns) -> ofTable.add(new StoredRow(table, key, columns)));
      rows.put(table, ofTable);
    }
    return rows;
  }

  /**
   * Writes the rows, unless the file has them.
   *
   * @throws IOException if it can't be written; the old file is as it was
   */
  void write(Map<RuleTable, List<StoredRow>> rows) throws IOException {
    if (rows.equals(written)) {
      return;
    }
    Map<String, Map<String, Map<String, String>>> tables = new LinkedHashMap<>();
    rows.forEach(
        (table, ofTable) -> {
          Map<String, Map<String, String>> byKey = new TreeMap<>();
          ofTable.forEach(row -> byKey.put(row.key(), row.columns()));
          tables.put(table.tableName(), byKey);
        });
    Path directory = file.getParent();
    Path fresh =
        Files.createTempFile(
            directory, file.getFileName().toString(), ".new", OwnerOnlyAttributes.in(file));
    try {
      Files.write(fresh, JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(tables));
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
    written = Map.copyOf(rows);
  }
}
