package io.weir.internal.control.admin.records;

import io.weir.internal.control.http.AnswerFormat;
import io.weir.internal.control.paging.TimeSpan;
import io.weir.internal.control.resource.Described;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.UriInfo;
import org.jspecify.annotations.Nullable;

/**
 * The format that a client wants usage in: a {@code @BeanParam}.
 *
 * <p>Confine to one request.
 */
public final class UsageFormat {
  @QueryParam("format")
  @Described("json or csv; by default according to Accept")
  private @Nullable String format;

  @Context private @Nullable HttpHeaders headers;

  @Context private @Nullable UriInfo address;

  public UsageFormat() {}

  boolean isCsv() {
    if (headers == null) {
      throw new IllegalStateException("made without JAX-RS");
    }
    return AnswerFormat.of(format, headers) == AnswerFormat.CSV;
  }

  /**
   * Returns the value of {@code Link} that leads to the rows after a cursor, at the same time.
   *
   * @param time the span of the rows, which by default would be a later one
   */
  String next(TimeSpan time, String cursor) {
    if (address == null) {
      throw new IllegalStateException("made without JAX-RS");
    }
    String query =
        address
            .getRequestUriBuilder()
            .replaceQueryParam("from", time.from())
            .replaceQueryParam("to", time.to())
            .replaceQueryParam("cursor", cursor)
            .build()
            .getRawQuery();
    return "<?" + query + ">; rel=\"next\"";
  }
}
