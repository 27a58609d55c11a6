package io.weir.internal.control.paging;

import io.weir.internal.control.resource.Described;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list.
 *
 * @param <T> what is listed
 * @param items what it has, in the list's order
 * @param next the cursor of the next part; null if this is the last
 */
public record Page<T>(
    List<T> items,
    @Described("The cursor of the next page; null after the last") @Nullable String next) {
  /**
   * Takes the items as they are.
   *
   * @param items see the record
   * @param next see the record
   */
  public Page {
    items = List.copyOf(items);
  }

  /**
   * A page of what was read with one more than wanted, which tells whether there is more.
   *
   * @param <T> what is listed
   * @param read at most {@code limit} + 1 items
   * @param limit how many are wanted
   * @param cursor where the next page begins if it follows an item
   * @return the page
   */
  public static <T> Page<T> of(List<T> read, int limit, Function<T, Cursor> cursor) {
    if (read.size() <= limit) {
      return new Page<>(read, null);
    }
    List<T> items = read.subList(0, limit);
    return new Page<>(items, cursor.apply(items.get(limit - 1)).toString());
  }
}
