package io.weir.internal.rules.yaml;

import io.weir.internal.rules.database.StoredRow;
import java.util.Map;

/**
 * Holds one entry of a file.
 *
 * @param section the list that it is in
 * @param line its first line, counted from 1
 * @param fields the texts by their names
 */
record FileEntry(
    FileListKind section, int line, Map<String, String> fields, Map<String, Integer> lines) {
  /** Returns a row without a key, which is read like those of the table. */
  StoredRow row() {
    return new StoredRow(section.table(), "0", fields);
  }

  /** Returns the line of a field; that of the entry if it lacks the field. */
  int lineOf(String field) {
    return lines.getOrDefault(field, line);
  }
}
