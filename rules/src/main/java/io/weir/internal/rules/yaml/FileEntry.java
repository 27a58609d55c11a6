package io.weir.internal.rules.yaml;

import io.weir.internal.rules.database.StoredRow;
import java.util.Map;

/**
 * One entry of a file.
 *
 * @param section which list it is in
 * @param line where it begins, from 1
 * @param fields its texts by name
 * @param lines where each field is
 */
record FileEntry(
    FileSection section, int line, Map<String, String> fields, Map<String, Integer> lines) {
  /** As a row without key, to be read as rows of the table are. */
  StoredRow row() {
    return new StoredRow(section.table(), "0", fields);
  }

  /** The line of a field; of the entry if it doesn't have the field. */
  int lineOf(String field) {
    return lines.getOrDefault(field, line);
  }
}
