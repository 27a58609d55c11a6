package io.weir.internal.rules.usage;

import io.weir.internal.rules.database.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Optional;

/**
 * Something that requests change and that one thread of the node writes, every few seconds: usage
 * itself, the ledger of quotas, the minutes in which anomalies are looked for.
 *
 * <p>The writer takes a {@link Batch} of each part and writes them in one transaction, then further
 * ones until nothing is left. It never waits for requests, nor they for it.
 *
 * <p>Called by the writer's thread only, except for {@link #forget}; what requests collect meanwhile
 * is the part's own business.
 */
public interface UsagePart {
  /**
   * Takes what was collected, out of what is kept for later.
   *
   * @param most about how many rows one transaction should change
   * @return nothing if there is nothing to write
   */
  Optional<Batch> drain(int most);

  /**
   * Forgets what was collected of users and isn't written yet. Whatever a request of theirs collects
   * later counts anew.
   *
   * @param userIds whom
   */
  void forget(Collection<String> userIds);

  /** What one transaction writes of a part. */
  interface Batch {
    /**
     * Writes it; neither commits nor closes. Called at most once. Rows are changed in the order of
     * their keys, since other nodes change the same ones: so no two wait for each other.
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
     * @param isLost whether only the answer of the commit was lost, so that it may be written all
     *     the same and must not be repeated. If not, nothing is written, and the part may keep it
     *     for the next time, within its bounds
     */
    void failed(boolean isLost);
  }
}
