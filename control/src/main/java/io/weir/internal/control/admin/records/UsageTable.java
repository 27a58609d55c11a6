package io.weir.internal.control.admin.records;

import io.weir.internal.control.http.CsvEntity;
import io.weir.internal.control.http.CsvText;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.json.JsonRecords;
import io.weir.internal.control.paging.Cursor;
import io.weir.internal.control.paging.Page;
import io.weir.internal.control.paging.PageRequest;
import io.weir.internal.control.paging.TimeSpan;
import io.weir.rules.usage.Usage;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows of usage as JSON, or as a CSV file. Immutable.
 *
 * @param kind the beginning of the file's name
 * @param document an item of the JSON, whose members are the columns of the file
 */
record UsageTable<R extends Record>(String kind, Class<? extends Record> document) {
  /** The longest time of which the database adds up usage. */
  static final Duration MAX_TIME = Duration.ofHours(Usage.MAX_HOURS);

  /** Writes all rows. They are read after the format, which may be invalid. */
  Response all(UsageFormat format, TimeSpan time, Supplier<List<R>> rows) {
    if (format.isCsv()) {
      return file(rows.get(), time).build();
    }
    return json(JsonRecords.copies(rows.get(), document));
  }

  /**
   * Writes a page of rows: in a file as many as the database sums up at once, unless fewer are
   * wanted, with a link to the next.
   *
   * @param cursor marks where the next page begins if it follows a row
   * @param rows reads at most so many rows, from the page's beginning on
   */
  Response page(
      UsageFormat format,
      TimeSpan time,
      PageRequest page,
      Function<R, Cursor> cursor,
      IntFunction<List<R>> rows) {
    if (!format.isCsv()) {
      return json(Page.of(rows.apply(page.rowsToRead()), page, cursor, JsonRecords.to(document)));
    }
    int max = Usage.MAX_SUMS;
    List<R> read = rows.apply(page.rowsToRead(max));
    Page<R> found = Page.of(read, page.limit(max), max, cursor, Function.identity());
    Response.ResponseBuilder response = file(found.items(), time);
    @Nullable String next = found.next();
    return next == null
        ? response.build()
        : response.header(HttpHeaders.LINK, format.next(time, next)).build();
  }

  private Response.ResponseBuilder file(List<R> rows, TimeSpan time) {
    CsvText table = new CsvText(JsonRecords.names(document));
    rows.forEach(each -> table.line(JsonRecords.values(JsonRecords.copy(each, document))));
    return CsvEntity.ok(table, kind + "-" + time.firstDay() + "-to-" + time.lastDay() + ".csv");
  }

  private static Response json(Object document) {
    return JsonEntity.json(Response.Status.OK.getStatusCode(), document)
        .header(HttpHeaders.VARY, HttpHeaders.ACCEPT)
        .build();
  }
}
