package io.weir.internal.control.paging;

import io.weir.internal.control.http.Parameters;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.json.Iso8601;
import io.weir.internal.control.resource.Described;
import jakarta.ws.rs.QueryParam;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which part of a list is wanted: a {@code @BeanParam} of each resource method that lists.
 *
 * <p>Confine to one request.
 */
public final class PageRequest {
  private static final int USUAL = 100;
  private static final int MOST = 1_000;

  @QueryParam("from")
  @Described("The first moment, such as 2026-11-01T00:00:00Z")
  private @Nullable String from;

  @QueryParam("to")
  @Described("The end, which doesn't belong to it")
  private @Nullable String to;

  @QueryParam("limit")
  @Described("How many at most, 1 to 1000; 100 unless given")
  private @Nullable String limit;

  @QueryParam("cursor")
  @Described("Where the page before ended: its member next")
  private @Nullable String cursor;

  /** Made by JAX-RS. */
  public PageRequest() {}

  /**
   * From when on.
   *
   * @return inclusive; nothing if it wasn't given
   * @throws InvalidFieldException if it isn't a moment
   */
  public Optional<Instant> from() {
    return moment("from", from);
  }

  /**
   * Until when.
   *
   * @return exclusive; nothing if it wasn't given
   * @throws InvalidFieldException if it isn't a moment
   */
  public Optional<Instant> to() {
    return moment("to", to);
  }

  /**
   * How many at most.
   *
   * @return 1 to 1,000
   * @throws InvalidFieldException if it is anything else
   */
  public int limit() {
    return (int) Parameters.number("limit", limit, 1, MOST).orElse(USUAL);
  }

  /**
   * Where the page begins.
   *
   * @param parts how many parts the cursors of this list have
   * @return what {@link Cursor#of} was given; nothing for the first page
   * @throws InvalidFieldException if it wasn't made by this list
   */
  public Optional<Cursor> cursor(int parts) {
    return cursor == null ? Optional.empty() : Optional.of(Cursor.parse(cursor, parts));
  }

  private static Optional<Instant> moment(String name, @Nullable String text) {
    try {
      return text == null ? Optional.empty() : Optional.of(Iso8601.instant(text));
    } catch (DateTimeException malformed) {
      throw new InvalidFieldException(name, Iso8601.INSTANT_RULE);
    }
  }
}
