package io.weir.internal.control.admin.outcomes;

import io.weir.Ticker;
import io.weir.annotation.Unlimited;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.ParameterReader;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.json.JsonRecords;
import io.weir.internal.control.paging.Cursor;
import io.weir.internal.control.paging.Page;
import io.weir.internal.control.paging.PageRequest;
import io.weir.internal.control.paging.TimeSpan;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.internal.control.resource.Operation.Many;
import io.weir.rules.outcome.HourlyOutcomes;
import io.weir.rules.outcome.Outcomes;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what the policies of all nodes decide. Safe for concurrent use. */
@Path("/v1/admin/ratelimit/outcomes")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class OutcomesResource {
  private static final Duration DEFAULT_SPAN = Duration.ofDays(1);

  private static final String SUM = "sum";

  /** The name of a policy, or that of all others. */
  private static final Pattern POLICY = Pattern.compile("[A-Za-z0-9._-]{1,64}|\\*");

  private final Outcomes outcomes;
  private final RecentOutcomes recent;
  private final Ticker ticker;

  public OutcomesResource(Outcomes outcomes, RecentOutcomes recent, Ticker ticker) {
    this.outcomes = outcomes;
    this.recent = recent;
    this.ticker = ticker;
  }

  @GET
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value =
          "Sum up the current decisions of all nodes: rates per second by policy and outcome, of"
              + " the five seconds before each node's last report",
      answer = OutcomesDocument.class)
  public Response outcomes() {
    return JsonEntity.ok(OutcomesDocument.of(outcomes.current()));
  }

  @GET
  @Path("/recent")
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value =
          "List the decisions of all nodes in the last 15 minutes: rates per second of all"
              + " policies together and of the busiest 100. The node that answers keeps them since"
              + " its start",
      answer = RecentOutcomesDocument.class,
      needsDatabase = false)
  public Response recent() {
    return JsonEntity.ok(RecentOutcomesDocument.of(recent.points()));
  }

  @GET
  @Path("/hours")
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value =
          "List the decisions of all nodes by policy and hour, oldest first; by default of the last"
              + " day; with sum=true of all policies together. Hours are kept as long as usage by"
              + " hour (weir.usage.keep.hours)",
      answer = HourlyOutcomesDocument.class,
      answers = Many.PAGE)
  public Response hours(
      @BeanParam PageRequest page,
      @QueryParam("policy") @Described("Only of the policy of this name") @Nullable String policy,
      @QueryParam(SUM)
          @Described("true: one item an hour, the sums of all policies, whose policy is *")
          @Nullable String sum) {
    TimeSpan time = page.time(DEFAULT_SPAN, ticker);
    Optional<HourlyOutcomes> last = page.cursor(2).map(each -> last(each.instant(0), each.text(1)));
    List<HourlyOutcomes> found;
    if (ParameterReader.flag(SUM, sum)) {
      if (policy != null) {
        throw new InvalidFieldException(SUM, "must not be given with policy");
      }
      Instant next = last.map(each -> after(each.startsAt())).orElse(time.from());
      found =
          outcomes.hoursOfAll(
              next.isAfter(time.from()) ? next : time.from(), time.to(), page.rowsToRead());
    } else {
      boolean isName = policy == null || POLICY.matcher(policy).matches();
      found =
          isName
              ? outcomes.hours(
                  Optional.ofNullable(policy), time.from(), time.to(), last, page.rowsToRead())
              : List.of();
    }
    return JsonEntity.ok(
        Page.of(
            found,
            page,
            each -> Cursor.of(each.startsAt(), each.policy()),
            JsonRecords.to(HourlyOutcomesDocument.class)));
  }

  /** Rows begin at whole hours. */
  private static Instant after(Instant hour) {
    return hour.plus(1, ChronoUnit.MINUTES);
  }

  /** Makes a row that only marks where a page ended. */
  private static HourlyOutcomes last(Instant startsAt, String policy) {
    if (!POLICY.matcher(policy).matches()) {
      throw Cursor.invalid();
    }
    return new HourlyOutcomes(policy, startsAt, 0, 0, 0, 0, 0);
  }
}
