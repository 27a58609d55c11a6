package io.weir.internal.control.paging;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** Pages of what is told in another form than it is read. */
public final class Pages {
  private static final int MOST = 1_000;

  private Pages() {}

  /** How many rows to read: one more than wanted, where as many can be read. */
  public static int most(PageRequest page) {
    return Math.min(page.limit() + 1, MOST);
  }

  /**
   * A page of rows that are all in memory, by their numbers.
   *
   * @param rows those that are wanted, in any order
   * @param page what is wanted
   * @param id a row's number
   * @param told how a row is told
   */
  public static <T, D> Page<D> byId(
      Stream<T> rows, PageRequest page, ToLongFunction<T> id, Function<T, D> told) {
    long after = page.cursor(1).map(cursor -> cursor.number(0)).orElse(0L);
    List<T> found =
        rows.filter(each -> id.applyAsLong(each) > after)
            .sorted(Comparator.comparingLong(id))
            .limit(page.limit() + 1L)
            .toList();
    return of(found, page, last -> Cursor.of(id.applyAsLong(last)), told);
  }

  /**
   * A page.
   *
   * @param read one more than wanted, if there are as many
   * @param page what is wanted
   * @param cursor where the next page begins if it follows an item
   * @param told how an item is told
   */
  public static <T, D> Page<D> of(
      List<T> read, PageRequest page, Function<T, Cursor> cursor, Function<T, D> told) {
    Page<T> part = Page.of(read, page.limit(), cursor);
    if (read.size() == MOST && page.limit() == MOST) { // whether there is more isn't known
      part = new Page<>(read, cursor.apply(read.get(MOST - 1)).toString());
    }
    return new Page<>(part.items().stream().map(told).toList(), part.next());
  }
}
