package io.weir.internal.rules.database;

import java.util.List;

/**
 * Rows of some users.
 *
 * @param rows at least one if there is any
 * @param isAll false if some users have rows that were left out, for memory
 */
public record UserRows(List<StoredRow> rows, boolean isAll) {
  /** The most bytes of own limits that are read at once; one larger row is read alone. */
  public static final long MAX_BYTES = 4_000_000;

  public UserRows {
    rows = List.copyOf(rows);
  }
}
