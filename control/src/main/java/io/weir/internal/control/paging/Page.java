package io.weir.internal.control.paging;

import io.weir.internal.control.resource.Described;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list. Immutable.
 *
 * @param items in the list's order
 */
public record Page<T>(
    List<T> items,
    @Described("The cursor of the next page; null on the last page") @Nullable String next) {
  public Page {
    items = List.copyOf(items);
  }

  /**
   * Makes a page of rows that were read from the database.
   *
   * @param read the rows from the page's beginning on; {@link PageRequest#rowsToRead} if there are
   *     as many
   * @param cursor where the next page begins if it follows a row
   */
  public static <R, D> Page<D> of(
      List<R> read, PageRequest request, Function<R, Cursor> cursor, Function<R, D> document) {
    return of(read, request.limit(), PageRequest.MAX_ROWS, cursor, document);
  }

  /**
   * Makes a page of rows that were read from the database.
   *
   * @param read the rows from the page's beginning on; one more than {@code limit} if there are as
   *     many, and no more than {@code maxRows}
   * @param maxRows the most rows that the database returns at once
   * @param cursor where the next page begins if it follows a row
   */
  public static <R, D> Page<D> of(
      List<R> read, int limit, int maxRows, Function<R, Cursor> cursor, Function<R, D> document) {
    // With as many rows as can be read, only the next page shows whether there are more.
    boolean mayHaveNext = read.size() > limit || read.size() == maxRows;
    List<R> rows = read.subList(0, Math.min(limit, read.size()));
    return new Page<>(
        rows.stream().map(document).toList(),
        mayHaveNext ? cursor.apply(rows.get(rows.size() - 1)).toString() : null);
  }

  /**
   * Makes a page of rows that are all in memory, sorted by id.
   *
   * @param rows the whole list, in any order
   * @param id the id of a row, above 0
   */
  public static <R, D> Page<D> byId(
      Stream<R> rows, PageRequest request, ToLongFunction<R> id, Function<R, D> document) {
    long after = request.cursor(1).map(cursor -> cursor.number(0)).orElse(0L);
    List<R> found =
        rows.filter(each -> id.applyAsLong(each) > after)
            .sorted(Comparator.comparingLong(id))
            .limit(request.limit() + 1L)
            .toList();
    return of(found, request, last -> Cursor.of(id.applyAsLong(last)), document);
  }
}
