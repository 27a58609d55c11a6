package io.weir.internal.control.admin.records;

import io.weir.Ticker;
import io.weir.annotation.Unlimited;
import io.weir.internal.control.http.CsvEntity;
import io.weir.internal.control.paging.Cursor;
import io.weir.internal.control.paging.PageRequest;
import io.weir.internal.control.paging.TimeSpan;
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
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lists usage by user, by endpoint and by tier, as JSON and as CSV. Safe for concurrent use. */
@Path("/v1/admin/ratelimit/usage")
@Produces({MediaType.APPLICATION_JSON, CsvEntity.CSV})
@Unlimited
public final class UsageResource {
  private static final Duration USUAL = Duration.ofDays(1);

  private static final UsageTable<UserUsage> USERS =
      new UsageTable<>("usage", UserUsageDocument.class);
  private static final UsageTable<EndpointTotal> ENDPOINTS =
      new UsageTable<>("usage-endpoints", EndpointTotalDocument.class);
  private static final UsageTable<TierUsage> TIERS =
      new UsageTable<>("usage-tiers", TierUsageDocument.class);

  private final Usage usage;
  private final UserUsageReader users;
  private final Ticker ticker;

  public UsageResource(Usage usage, Ticker ticker) {
    this.usage = usage;
    this.users = new UserUsageReader(usage, ticker);
    this.ticker = ticker;
  }

  @GET
  @OpenTo(ControlRole.VIEW)
  @Operation(
      id = "RecordsResource.usage",
      value =
          "List users by their usage, busiest first; by default of the last day, at most of 92"
              + " days. As CSV up to 100,000 users at once; Link leads to the next",
      answer = UserUsageDocument.class,
      answers = Many.PAGE,
      errors = 406)
  public Response users(@BeanParam PageRequest page, @BeanParam UsageFormat format) {
    TimeSpan time = time(page);
    Optional<UserUsage> last =
        page.cursor(2).map(each -> new UserUsage(each.text(1), each.number(0), 0, 0));
    return USERS.page(
        format,
        time,
        page,
        each -> Cursor.of(each.requests(), each.userId()),
        most -> usage.users(time.from(), time.to(), last, most));
  }

  @GET
  @Path("/endpoints")
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value =
          "List endpoints by the usage of all callers, busiest first; by default of the last day,"
              + " at most of 92 days. As CSV up to 100,000 endpoints at once",
      answer = EndpointTotalDocument.class,
      answers = Many.PAGE,
      errors = 406)
  public Response endpoints(@BeanParam PageRequest page, @BeanParam UsageFormat format) {
    TimeSpan time = time(page);
    Optional<EndpointTotal> last =
        page.cursor(2).map(each -> new EndpointTotal(each.text(1), 0, each.number(0), 0, 0, 0));
    return ENDPOINTS.page(
        format,
        time,
        page,
        each -> Cursor.of(each.requests(), each.endpoint()),
        most -> usage.endpoints(time.from(), time.to(), last, most));
  }

  @GET
  @Path("/tiers")
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value =
          "List tiers by the usage of their callers, busiest first; by default of the last day, at"
              + " most of 92 days. Callers count for the tier that they have today, even if they"
              + " had another one then",
      answer = TierUsageDocument.class,
      answers = Many.LIST,
      errors = 406)
  public Response tiers(
      @QueryParam("from") @Described("The beginning, inclusive, such as 2026-11-01T00:00:00Z")
          @Nullable String from,
      @QueryParam("to") @Described("The end, exclusive") @Nullable String to,
      @BeanParam UsageFormat format) {
    TimeSpan time = TimeSpan.of(from, to, USUAL, ticker).atMost(UsageTable.MAX_TIME);
    return TIERS.all(format, time, () -> usage.tiers(time.from(), time.to()));
  }

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
      errors = 406)
  public Response user(
      @PathParam("userId") String userId,
      @BeanParam PageRequest page,
      @QueryParam("by") @Described("hour or day; default hour") @Nullable String by,
      @BeanParam UsageFormat format) {
    return users.of(userId, page, by, format);
  }

  private TimeSpan time(PageRequest page) {
    return page.time(USUAL, ticker).atMost(UsageTable.MAX_TIME);
  }
}
