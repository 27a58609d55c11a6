package io.weir.internal.rules.usage;

import io.weir.internal.rules.database.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Holds rows that were taken out of a part, which gets them back if they aren't written.
 *
 * <p>Confine to the writer's thread.
 *
 * @param isMore whether the part has more to write at once
 * @param keep gives a row back to the part
 * @param drop counts a row as lost
 */
public record TakenRows<K, V>(
    Map<K, V> rows,
    boolean isMore,
    Writing<K, V> writing,
    BiConsumer<K, V> keep,
    BiConsumer<K, V> drop)
    implements UsageBuffer.RowBatch {
  /** Writes rows, in the order of their keys. */
  public interface Writing<K, V> {
    void write(Connection connection, Dialect dialect, Map<K, V> rows) throws SQLException;
  }

  /** Removes the first rows that wait, at most so many, and returns them in order. */
  public static <K extends Comparable<K>, V> Map<K, V> take(Map<K, V> waiting, int most) {
    Map<K, V> taken = new TreeMap<>();
    Iterator<Map.Entry<K, V>> all = waiting.entrySet().iterator();
    while (all.hasNext() && taken.size() < most) {
      Map.Entry<K, V> each = all.next();
      taken.put(each.getKey(), each.getValue());
      all.remove();
    }
    return taken;
  }

  /** Returns what is to be written next: nothing without rows. */
  public Optional<UsageBuffer.RowBatch> unlessEmpty() {
    return rows.isEmpty() ? Optional.empty() : Optional.of(this);
  }

  @Override
  public void write(Connection connection, Dialect dialect) throws SQLException {
    writing.write(connection, dialect, rows);
  }

  @Override
  public void failed(boolean isLost) {
    rows.forEach(isLost ? drop : keep);
  }
}
