package io.weir.internal.control.paging;

import io.weir.Ticker;
import io.weir.internal.control.http.ParameterReader;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.resource.Described;
import jakarta.ws.rs.QueryParam;
import java.time.Duration;
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
  @Described("The maximum number of items to return, 1 to 1000; default 100")
  private @Nullable String limit;

  @QueryParam("cursor")
  @Described("The 'next' value of the previous page")
  private @Nullable String cursor;

  public PageRequest() {}

  /**
   * Reads the span of time to list.
   *
   * @param usual its length if only its end is given, or nothing
   * @param ticker the time of day, at which it ends by default
   * @throws InvalidFieldException if a parameter isn't an instant
   */
  public TimeSpan time(Duration usual, Ticker ticker) {
    return TimeSpan.of(from, to, usual, ticker);
  }

  /**
   * Reads the beginning of the time to list, inclusive; empty if it wasn't given.
   *
   * @throws InvalidFieldException if it isn't an instant
   */
  public Optional<Instant> from() {
    return TimeSpan.instant("from", from);
  }

  /**
   * Reads the end of the time to list, exclusive; empty if it wasn't given.
   *
   * @throws InvalidFieldException if it isn't an instant
   */
  public Optional<Instant> to() {
    return TimeSpan.instant("to", to);
  }

  /**
   * Reads the most items that the page may have, 1 to 1,000.
   *
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
   * Returns how many rows to read, 2 to 1,000: one more than the page takes, which shows whether
   * there is a next page.
   */
  public int rowsToRead() {
    return Math.min(limit() + 1, MAX_ROWS);
  }

  /**
   * Returns how many rows to read of a list that is exported: one more than wanted, which shows
   * whether there are more.
   *
   * @param max the most rows that the database returns at once
   * @return 2 to {@code max}
   */
  public int rowsToRead(int max) {
    return Math.min(limit(max) + 1, max);
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
}
