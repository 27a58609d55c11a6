package io.weir.internal.control.admin.records;

import io.weir.Ticker;
import io.weir.annotation.Unlimited;
import io.weir.internal.control.access.CallerName;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.ParameterReader;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.json.FieldReader;
import io.weir.internal.control.json.JsonBody;
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
import io.weir.rules.Rules;
import io.weir.rules.anomaly.Anomaly;
import io.weir.rules.anomaly.AnomalyAction;
import io.weir.rules.usage.Violation;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lists refusals, anomalies, bad rows and nodes. Safe for concurrent use. */
@Path("/v1/admin/ratelimit")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class RecordsResource {
  private static final Duration DEFAULT_SPAN = Duration.ofDays(1);
  private static final Duration DEFAULT_REFUSED = Duration.ofHours(1);
  private static final int USUAL_REFUSED = 10;
  private static final int MAX_REFUSED = 100;
  private static final Comparator<Anomaly> NEWEST_FIRST =
      Comparator.comparing(Anomaly::since)
          .thenComparing(Anomaly::userId)
          .thenComparing(Anomaly::endpoint)
          .reversed();

  private final Rules rules;
  private final Ticker ticker;

  public RecordsResource(Rules rules, Ticker ticker) {
    this.ticker = ticker;
    this.rules = rules;
  }

  record AnomalyEnd(@Nullable String userId, @Nullable String endpoint) {}

  @GET
  @Path("/violations")
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value = "List refusals, newest first; by default of the last day",
      answer = ViolationDocument.class,
      answers = Many.PAGE)
  public Response violations(
      @BeanParam PageRequest page,
      @QueryParam("userId") @Described("Only of this user") @Nullable String userId) {
    TimeSpan time = page.time(DEFAULT_SPAN, ticker);
    List<Violation> found =
        rules
            .usage()
            .violations(
                Optional.ofNullable(userId),
                time.from(),
                time.to(),
                page.cursor(2).map(each -> new Violation.Position(each.instant(0), each.number(1))),
                page.rowsToRead());
    return JsonEntity.ok(
        Page.of(
            found,
            page,
            last -> Cursor.of(last.at(), last.id()),
            JsonRecords.to(ViolationDocument.class)));
  }

  @GET
  @Path("/refused")
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value =
          "List the callers that all nodes together refused most, the most refused first; by"
              + " default of the last hour, at most of 92 days",
      answer = CallerRefusalsDocument.class,
      answers = Many.LIST)
  public Response refused(
      @QueryParam("from") @Described("The beginning, inclusive, such as 2026-11-01T00:00:00Z")
          @Nullable String from,
      @QueryParam("to") @Described("The end, exclusive") @Nullable String to,
      @QueryParam("limit")
          @Described("The maximum number of callers to return, 1 to 100; default 10")
          @Nullable String limit) {
    TimeSpan time = TimeSpan.of(from, to, DEFAULT_REFUSED, ticker).atMost(UsageTable.MAX_TIME);
    int most = (int) ParameterReader.number("limit", limit, 1, MAX_REFUSED).orElse(USUAL_REFUSED);
    return JsonEntity.ok(
        rules.usage().mostRefused(time.from(), time.to(), most).stream()
            .map(CallerRefusalsDocument::of)
            .toList());
  }

  @GET
  @Path("/anomalies")
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value = "List anomalies, newest first; by default all that are kept",
      answer = AnomalyDocument.class,
      answers = Many.PAGE)
  public Response anomalies(
      @BeanParam PageRequest page,
      @QueryParam("userId") @Described("Only of this user") @Nullable String userId,
      @QueryParam("current") @Described("true: only anomalies that haven't ended")
          @Nullable String current) {
    Optional<Anomaly> after =
        page.cursor(3).map(each -> position(each.instant(0), each.text(1), each.text(2)));
    Instant from = page.from().orElse(Instant.EPOCH);
    Instant to = page.to().orElseGet(() -> ticker.instant().plus(DEFAULT_SPAN));
    List<Anomaly> found =
        ParameterReader.flag("current", current)
            ? rules.anomalies().current().stream()
                .filter(each -> userId == null || each.userId().equals(userId))
                .filter(each -> !each.since().isBefore(from) && each.since().isBefore(to))
                .filter(each -> after.isEmpty() || NEWEST_FIRST.compare(each, after.get()) > 0)
                .sorted(NEWEST_FIRST)
                .limit(page.rowsToRead())
                .toList()
            : rules
                .anomalies()
                .found(Optional.ofNullable(userId), from, to, after, page.rowsToRead());
    return JsonEntity.ok(
        Page.of(
            found,
            page,
            last -> Cursor.of(last.since(), last.userId(), last.endpoint()),
            JsonRecords.to(AnomalyDocument.class)));
  }

  /** Makes an anomaly that only marks where a page ended. */
  private static Anomaly position(Instant since, String userId, String endpoint) {
    return new Anomaly(userId, endpoint, 0, false, "", AnomalyAction.ALLOW, since, since);
  }

  @POST
  @Path("/anomalies/end")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "End an anomaly: the caller isn't limited for it at this endpoint for a day",
      body = AnomalyEnd.class,
      errors = 404)
  public Response endAnomaly(JsonBody body, @Context SecurityContext caller) {
    AnomalyEnd end = body.as(AnomalyEnd.class);
    String userId = FieldReader.required("userId", end.userId(), 500);
    String endpoint = FieldReader.required("endpoint", end.endpoint(), 500);
    if (!rules.anomalies().end(userId, endpoint, CallerName.asAuthor(caller))) {
      throw Problem.notFound("This user has no anomaly at this endpoint that could be ended.")
          .exception();
    }
    return Response.noContent().build();
  }

  @GET
  @Path("/problems")
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value = "List invalid rows, and warnings about rows",
      answer = RowProblemDocument.class,
      answers = Many.LIST,
      needsDatabase = false)
  public Response problems() {
    return JsonEntity.ok(JsonRecords.copies(rules.problems(), RowProblemDocument.class));
  }

  @GET
  @Path("/nodes")
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value = "List the running nodes, with their counts",
      answer = NodeDocument.class,
      answers = Many.LIST)
  public Response nodes() {
    return JsonEntity.ok(rules.nodes().current().stream().map(NodeDocument::of).toList());
  }
}
