package io.weir.internal.rules.usage;

import io.weir.internal.rules.database.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Collects changes by requests, which one thread of the node writes every few seconds: usage
 * itself, the ledger of quotas, and the minutes in which anomalies are looked for.
 *
 * <p>Each time, the writer has every part {@link #gather}, then writes a {@link RowBatch} of each
 * in one transaction, then further batches of the parts that have more. Writer and requests never
 * wait for each other.
 *
 * <p>Called by the writer's thread only; the part itself synchronizes with requests.
 */
public interface UsageBuffer {
  /**
   * Takes over what requests have collected, so that they collect anew. Called each time, also
   * while the database is unavailable: so what a part keeps must be bounded.
   */
  default void gather() {}

  /**
   * Removes and returns what is to be written next.
   *
   * @param most the approximate number of rows that one transaction should change
   * @return empty if there is nothing to write
   */
  Optional<RowBatch> drain(int most);

  /** Drops what isn't written yet of some users. */
  void forget(Predicate<String> isForgotten);

  /** Holds what one transaction writes of a part. */
  interface RowBatch {
    /**
     * Writes the rows; neither commits nor closes. Called again after a rollback. Rows are changed
     * in the order of their keys, since other nodes change the same ones: so there is no deadlock.
     *
     * @throws SQLException if a statement fails; nothing is written then
     */
    void write(Connection connection, Dialect dialect) throws SQLException;

    default void committed() {}

    /**
     * Called if the transaction failed.
     *
     * @param isLost whether it must not be repeated: only the answer of the commit was lost, so the
     *     rows may have been written, or the database rejects them. If false, nothing is written,
     *     and the part may keep the rows for the next time, within its bounds
     */
    void failed(boolean isLost);

    /**
     * Returns whether the part has more to write at once; else the rest is written the next time.
     */
    default boolean isMore() {
      return false;
    }
  }
}
