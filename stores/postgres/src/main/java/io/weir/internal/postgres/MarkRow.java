package io.weir.internal.postgres;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.sql.SQLException;
import java.util.Optional;

/**
 * Keeps the mark of whose data this is, in a row of the same table that never expires.
 *
 * <p>Safe for concurrent use with sessions of the callers' own.
 */
final class MarkRow {
  private static final byte[] KEY = BucketKeyEncoder.ofStore("mark");

  private final BucketTable table;

  MarkRow(BucketTable table) {
    this.table = table;
  }

  /** Writes a mark unless there is one, and returns the one that is there. */
  Optional<String> keep(PostgresSession session, String own) throws SQLException {
    BucketRow row = table.find(session, KEY);
    if (row.state() == null) {
      long growth = BucketRow.randomGrowth();
      BucketRow after =
          new BucketRow(row.nextVersion(growth), own.getBytes(US_ASCII), Long.MAX_VALUE);
      SwapResult.Row swapped = table.swap(session, growth, new RowSwap(KEY, row, after));
      row = swapped.done() ? after : table.find(session, KEY); // another node was faster
    }
    return text(row);
  }

  /** Reads the mark; empty if there is none. */
  Optional<String> find(PostgresSession session) throws SQLException {
    return text(table.find(session, KEY));
  }

  private static Optional<String> text(BucketRow row) {
    byte[] kept = row.state();
    return kept == null ? Optional.empty() : Optional.of(new String(kept, US_ASCII));
  }
}
