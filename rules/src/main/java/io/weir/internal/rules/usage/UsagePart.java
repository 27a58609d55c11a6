package io.weir.internal.rules.usage;

import io.weir.internal.rules.database.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Something that requests change and that one thread of the node writes, every few seconds: usage
 * itself, the ledger of quotas, the minutes in which anomalies are looked for.
 *
 * <p>Each time the writer has every part {@link #gather}, then takes a {@link Batch} of each and
 * writes them in one transaction, then further ones of the parts that have more. It never waits for
 * requests, nor they for it.
 *
 * <p>Called by the writer's thread only; what requests collect meanwhile is the part's own
 * business.
 */
public interface UsagePart {
  /**
   * Takes over what requests have collected, so that they collect anew. Called each time, also
   * while the database is away: what is kept then is bounded.
   */
  default void gather() {}

  /**
   * Takes what is to be written next out of what is kept.
   *
   * @param most about how many rows one transaction should change
   * @return nothing if there is nothing to write
   */
  Optional<Batch> drain(int most);

  /**
   * Forgets what is kept of users and isn't written yet.
   *
   * @param isForgotten whether a user is among them
   */
  void forget(Predicate<String> isForgotten);

  /** What one transaction writes of a part. */
  interface Batch {
    /**
     * Writes it; neither commits nor closes. Called again where the transaction was rolled back.
     * Rows are changed in the order of their keys, since other nodes change the same ones: so no
     * two wait for each other.
     *
     * @param connection the connection
     * @param dialect which SQL it speaks
     * @throws SQLException if a statement fails; nothing is written then
     */
    void write(Connection connection, Dialect dialect) throws SQLException;

    /** It is committed. */
    void written();

    /**
     * It failed.
     *
     * @param isLost whether it must not be repeated: only the answer of the commit was lost, so
     *     that it may be written all the same, or the database doesn't take it. If not, nothing is
     *     written, and the part may keep it for the next time, within its bounds
     */
    void failed(boolean isLost);

    /**
     * Whether the part has more to write at once.
     *
     * @return false unless overridden: the part is asked again the next time
     */
    default boolean isMore() {
      return false;
    }
  }
}
