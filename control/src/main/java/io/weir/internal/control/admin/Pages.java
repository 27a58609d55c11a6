package io.weir.internal.control.admin;

import io.weir.internal.control.http.Cursor;
import io.weir.internal.control.http.Page;
import io.weir.internal.control.http.PageRequest;
import java.util.List;
import java.util.function.Function;

/** Pages of what is told in another form than it is read. */
final class Pages {
  private Pages() {}

  /**
   * A page.
   *
   * @param read one more than wanted, if there are as many
   * @param page what is wanted
   * @param cursor where the next page begins if it follows an item
   * @param told how an item is told
   */
  static <T, D> Page<D> of(
      List<T> read, PageRequest page, Function<T, Cursor> cursor, Function<T, D> told) {
    Page<T> part = Page.of(read, page.limit(), cursor);
    return new Page<>(part.items().stream().map(told).toList(), part.next());
  }
}
