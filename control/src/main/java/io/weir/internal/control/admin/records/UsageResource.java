package io.weir.internal.control.admin.records;

import io.weir.Ticker;
import io.weir.annotation.Unlimited;
import io.weir.internal.control.http.CsvEntity;
import io.weir.internal.control.http.CsvText;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.paging.Cursor;
import io.weir.internal.control.paging.Page;
import io.weir.internal.control.paging.PageRequest;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.internal.control.resource.Operation.Many;
import io.weir.rules.usage.EndpointTotal;
import io.weir.rules.usage.TierUsage;
import io.weir.rules.usage.Usage;
import io.weir.rules.usage.UserUsage;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Lists usage by user, by endpoint and by tier, as JSON and as CSV. Safe for concurrent use. */
@Path("/v1/admin/ratelimit/usage")
@Produces({MediaType.APPLICATION_JSON, CsvEntity.CSV})
@Unlimited
public final class UsageResource {
  private static final Duration USUAL = Duration.ofDays(1);

  private final Usage usage;
  private final UserUsageReader users;
  private final Ticker ticker;

  /** Makes the resource. */
  public UsageResource(Usage usage, Ticker ticker) {
    this.usage = usage;
    this.users = new UserUsageReader(usage, ticker);
    this.ticker = ticker;
  }

  /** Lists users by their usage. */
  @GET
  @OpenTo(ControlRole.VIEW)
  @Operation(
      id = "RecordsResource.usage",
      value =
          "List users by their usage, busiest first; by default of the last day, at most of 92"
              + " days. As CSV up to 100,000 users at once; Link leads to the next",
      answer = UserUsageDocument.class,
      answers = Many.PAGE,
      errors = {406, 503})
  public Response users(@BeanParam PageRequest page, @BeanParam UsageFormat format) {
    UsageTime time = time(page);
    Optional<UserUsage> last =
        page.cursor(2).map(each -> new UserUsage(each.text(1), each.number(0), 0, 0));
    Function<UserUsage, Cursor> cursor = each -> Cursor.of(each.requests(), each.userId());
    if (format.isCsv()) {
      int limit = page.limit(Usage.MAX_SUMS);
      List<UserUsage> read = usage.users(time.from(), time.to(), last, rowsToRead(limit));
      CsvText table = new CsvText(UserUsageDocument.COLUMNS);
      first(read, limit).forEach(each -> table.line(UserUsageDocument.cells(each)));
      return file(table, "usage", time, format, next(read, limit, cursor));
    }
    List<UserUsage> found = usage.users(time.from(), time.to(), last, page.rowsToRead());
    return varied(Page.of(found, page, cursor, UserUsageDocument::of));
  }

  /** Lists endpoints by their usage. */
  @GET
  @Path("/endpoints")
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value =
          "List endpoints by the usage of all callers, busiest first; by default of the last day,"
              + " at most of 92 days. As CSV up to 100,000 endpoints at once",
      answer = EndpointTotalDocument.class,
      answers = Many.PAGE,
      errors = {406, 503})
  public Response endpoints(@BeanParam PageRequest page, @BeanParam UsageFormat format) {
    UsageTime time = time(page);
    Optional<EndpointTotal> last =
        page.cursor(2).map(each -> new EndpointTotal(each.text(1), 0, each.number(0), 0, 0, 0));
    Function<EndpointTotal, Cursor> cursor = each -> Cursor.of(each.requests(), each.endpoint());
    if (format.isCsv()) {
      int limit = page.limit(Usage.MAX_SUMS);
      List<EndpointTotal> read = usage.endpoints(time.from(), time.to(), last, rowsToRead(limit));
      CsvText table = new CsvText(EndpointTotalDocument.COLUMNS);
      first(read, limit).forEach(each -> table.line(EndpointTotalDocument.cells(each)));
      return file(table, "usage-endpoints", time, format, next(read, limit, cursor));
    }
    List<EndpointTotal> found = usage.endpoints(time.from(), time.to(), last, page.rowsToRead());
    return varied(Page.of(found, page, cursor, EndpointTotalDocument::of));
  }

  /** Lists tiers by their usage. */
  @GET
  @Path("/tiers")
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value =
          "List tiers by the usage of their callers, busiest first; by default of the last day, at"
              + " most of 92 days. The tier is the one that a caller has today, whatever it had"
              + " then",
      answer = TierUsageDocument.class,
      answers = Many.LIST,
      errors = {406, 503})
  public Response tiers(
      @QueryParam("from") @Described("The beginning, inclusive, such as 2026-11-01T00:00:00Z")
          @Nullable String from,
      @QueryParam("to") @Described("The end, exclusive") @Nullable String to,
      @BeanParam UsageFormat format) {
    UsageTime time = UsageTime.of(PageRequest.ofTime(from, to), USUAL, ticker).checked();
    boolean isCsv = format.isCsv();
    List<TierUsage> found = usage.tiers(time.from(), time.to());
    if (!isCsv) {
      return varied(found.stream().map(TierUsageDocument::of).toList());
    }
    CsvText table = new CsvText(TierUsageDocument.COLUMNS);
    found.forEach(each -> table.line(TierUsageDocument.cells(each)));
    return file(table, "usage-tiers", time, format, Optional.empty());
  }

  /** Lists the usage of one user. */
  @GET
  @Path("/{userId}")
  @OpenTo(ControlRole.VIEW)
  @Operation(
      id = "RecordsResource.usageOf",
      value =
          "List the usage of a user by endpoint and hour, or by endpoint and day in UTC; as CSV"
              + " too. For users named 'endpoints' or 'tiers', see /user/usage",
      answer = EndpointUsageDocument.class,
      answers = Many.LIST,
      errors = {406, 503})
  public Response user(
      @PathParam("userId") String userId,
      @BeanParam PageRequest page,
      @QueryParam("by") @Described("hour or day; default hour") @Nullable String by,
      @BeanParam UsageFormat format) {
    return users.of(userId, page, by, format);
  }

  private UsageTime time(PageRequest page) {
    return UsageTime.of(page, USUAL, ticker).checked();
  }

  private static Response varied(Object document) {
    return JsonEntity.json(Response.Status.OK.getStatusCode(), document)
        .header(HttpHeaders.VARY, HttpHeaders.ACCEPT)
        .build();
  }

  private static Response file(
      CsvText table, String kind, UsageTime time, UsageFormat format, Optional<Cursor> next) {
    Response.ResponseBuilder response = CsvEntity.ok(table, time.file(kind));
    next.ifPresent(
        cursor -> response.header(HttpHeaders.LINK, format.next(time, cursor.toString())));
    return response.build();
  }

  /** One more than wanted, which shows whether there are more. */
  private static int rowsToRead(int limit) {
    return Math.min(limit + 1, Usage.MAX_SUMS);
  }

  private static <R> List<R> first(List<R> read, int limit) {
    return read.subList(0, Math.min(limit, read.size()));
  }

  private static <R> Optional<Cursor> next(List<R> read, int limit, Function<R, Cursor> cursor) {
    boolean mayHaveNext = read.size() > limit || read.size() == Usage.MAX_SUMS;
    return mayHaveNext
        ? Optional.of(cursor.apply(read.get(Math.min(limit, read.size()) - 1)))
        : Optional.empty();
  }
}
