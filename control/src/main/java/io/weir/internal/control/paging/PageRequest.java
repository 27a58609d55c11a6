package io.weir.internal.control.paging;

import io.weir.internal.control.http.ParameterReader;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.json.Iso8601;
import io.weir.internal.control.resource.Described;
import jakarta.ws.rs.QueryParam;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of a list that a client asks for: a {@code @BeanParam} of each resource method that
 * returns pages.
 *
 * <p>Confine to one request.
 */
public final class PageRequest {
  /** The most rows that the database returns at once. */
  static final int MAX_ROWS = 1_000;

  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_LIMIT = 1_000;

  @QueryParam("from")
  @Described("The beginning, inclusive, such as 2026-11-01T00:00:00Z")
  private @Nullable String from;

  @QueryParam("to")
  @Described("The end, exclusive")
  private @Nullable String to;

  @QueryParam("limit")
  @Described("The most items to return, 1 to 1000; default 100")
  private @Nullable String limit;

  @QueryParam("cursor")
  @Described("The 'next' value of the previous page")
  private @Nullable String cursor;

  /** Made by JAX-RS. */
  public PageRequest() {}

  /**
   * Makes the request for a list without pages.
   *
   * @param from the beginning, inclusive; null if it is missing
   * @param to the end, exclusive; null if it is missing
   * @return a request for all of it
   */
  public static PageRequest ofTime(@Nullable String from, @Nullable String to) {
    PageRequest page = new PageRequest();
    page.from = from;
    page.to = to;
    return page;
  }

  /**
   * Reads the beginning of the time to list.
   *
   * @return inclusive; empty if it wasn't given
   * @throws InvalidFieldException if it isn't an instant
   */
  public Optional<Instant> from() {
    return instant("from", from);
  }

  /**
   * Reads the end of the time to list.
   *
   * @return exclusive; empty if it wasn't given
   * @throws InvalidFieldException if it isn't an instant
   */
  public Optional<Instant> to() {
    return instant("to", to);
  }

  /**
   * Reads the most items that the page may have.
   *
   * @return 1 to 1,000
   * @throws InvalidFieldException if it is anything else
   */
  public int limit() {
    return (int) ParameterReader.number("limit", limit, 1, MAX_LIMIT).orElse(DEFAULT_LIMIT);
  }

  /**
   * Reads the most rows of a list that is exported as a whole, or as much of it as wanted.
   *
   * @param max the most rows that there can be, which is the default
   * @return 1 to {@code max}
   * @throws InvalidFieldException if it is anything else
   */
  public int limit(int max) {
    return (int) ParameterReader.number("limit", limit, 1, max).orElse(max);
  }

  /**
   * Returns how many rows to read: one more than the page takes, which shows whether there is a
   * next page.
   *
   * @return 2 to 1,000
   */
  public int rowsToRead() {
    return Math.min(limit() + 1, MAX_ROWS);
  }

  /**
   * Reads where the page begins.
   *
   * @param parts how many parts the cursors of this list have
   * @return the cursor; empty for the first page
   * @throws InvalidFieldException if this list didn't hand it out
   */
  public Optional<Cursor> cursor(int parts) {
    return cursor == null ? Optional.empty() : Optional.of(Cursor.parse(cursor, parts));
  }

  private static Optional<Instant> instant(String name, @Nullable String text) {
    try {
      return text == null ? Optional.empty() : Optional.of(Iso8601.instant(text));
    } catch (DateTimeException malformed) {
      throw new InvalidFieldException(name, Iso8601.INSTANT_RULE);
    }
  }
}
