package io.weir.internal.control.admin;

import io.weir.annotation.Unlimited;
import io.weir.internal.control.http.Cursor;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.PageRequest;
import io.weir.internal.control.http.Parameters;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.json.JsonBody;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.internal.control.resource.Operation.Many;
import io.weir.rules.anomaly.Anomaly;
import io.weir.rules.anomaly.AnomalyAction;
import io.weir.rules.usage.EndpointUsage;
import io.weir.rules.Rules;
import io.weir.rules.usage.Usage;
import io.weir.rules.usage.UserUsage;
import io.weir.rules.usage.Violation;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What has happened: usage, refusals, what is unusual, and how the nodes are. */
@Path("/v1/admin/ratelimit")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class RecordsResource {
  private static final Duration USUAL = Duration.ofDays(1);
  private static final int MOST_DAYS = 366;
  private static final Comparator<Anomaly> NEWEST_FIRST =
      Comparator.comparing(Anomaly::since)
          .thenComparing(Anomaly::userId)
          .thenComparing(Anomaly::endpoint)
          .reversed();

  private final Rules rules;

  /** The resource of what some rules have seen. */
  public RecordsResource(Rules rules) {
    this.rules = rules;
  }

  /** From when until when: the last day, unless it is said. */
  private record Span(Instant from, Instant to) {
    static Span of(PageRequest page) {
      Instant to = page.to().orElseGet(Instant::now);
      return new Span(page.from().orElse(to.minus(USUAL)), to);
    }

    /** Refuses more hours than are added up at once. */
    void check() {
      if (Duration.between(from, to).compareTo(Duration.ofHours(Usage.MOST_HOURS)) > 0) {
        throw new InvalidFieldException("to", "must be at most 92 days after from");
      }
    }
  }

  /** Which anomaly is all right. */
  record AnomalyEnd(@Nullable String userId, @Nullable String endpoint) {}

  /** Lists refusals. */
  @GET
  @Path("/violations")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "List refusals, the newest first; of the last day unless from and to are given",
      answer = ViolationDocument.class,
      answers = Many.PAGE,
      errors = {503})
  public Response violations(
      @BeanParam PageRequest page,
      @QueryParam("userId") @Described("Only those of this user") @Nullable String userId) {
    Span span = Span.of(page);
    List<Violation> found =
        rules
            .usage()
            .violations(
                Optional.ofNullable(userId),
                span.from,
                span.to,
                page.cursor(2)
                    .map(
                        each ->
                            new Violation.Position(Words.micros(each.number(0)), each.number(1))),
                Pages.most(page));
    return JsonEntity.ok(
        Pages.of(
            found,
            page,
            last -> Cursor.of(Words.micros(last.at()), last.id()),
            ViolationDocument::of));
  }

  /** Lists who has used most. */
  @GET
  @Path("/usage")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value =
          "List users by what they have used, the busiest first; of the last day unless from and"
              + " to are given, at most 92 days",
      answer = UsageDocument.class,
      answers = Many.PAGE,
      errors = {503})
  public Response usage(@BeanParam PageRequest page) {
    Span span = Span.of(page);
    span.check();
    Optional<UserUsage> last =
        page.cursor(2).map(each -> new UserUsage(each.text(1), each.number(0), 0, 0));
    List<UserUsage> found = rules.usage().users(span.from, span.to, last, Pages.most(page));
    return JsonEntity.ok(
        Pages.of(
            found, page, each -> Cursor.of(each.requests(), each.userId()), UsageDocument::of));
  }

  /** Tells what one user has used. */
  @GET
  @Path("/usage/{userId}")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "List what a user has used by endpoint and hour, or by day in UTC",
      answer = EndpointDocument.class,
      answers = Many.LIST,
      errors = {503})
  public Response usageOf(
      @PathParam("userId") String userId,
      @BeanParam PageRequest page,
      @QueryParam("by") @Described("hour, unless day") @Nullable String by) {
    Span span = Span.of(page);
    if (by == null || by.equals("hour")) {
      span.check();
      return told(rules.usage().hours(userId, span.from, span.to));
    }
    if (!by.equals("day")) {
      throw new InvalidFieldException("by", "must be hour or day");
    }
    LocalDate first = span.from.atZone(ZoneOffset.UTC).toLocalDate();
    LocalDate last = span.to.atZone(ZoneOffset.UTC).toLocalDate();
    if (ChronoUnit.DAYS.between(first, last) >= MOST_DAYS) {
      throw new InvalidFieldException("to", "must be at most 366 days after from");
    }
    return told(rules.usage().days(userId, first, last));
  }

  private static Response told(List<EndpointUsage> usage) {
    return JsonEntity.ok(usage.stream().map(EndpointDocument::of).toList());
  }

  /** Lists what is unusual. */
  @GET
  @Path("/anomalies")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "List anomalies, the newest first; all that are kept unless from and to are given",
      answer = AnomalyDocument.class,
      answers = Many.PAGE,
      errors = {503})
  public Response anomalies(
      @BeanParam PageRequest page,
      @QueryParam("userId") @Described("Only those of this user") @Nullable String userId,
      @QueryParam("current") @Described("true: only those that haven't ended")
          @Nullable String current) {
    Optional<Anomaly> after =
        page.cursor(3)
            .map(each -> position(Words.micros(each.number(0)), each.text(1), each.text(2)));
    Instant from = page.from().orElse(Instant.EPOCH);
    Instant to = page.to().orElseGet(() -> Instant.now().plus(USUAL));
    List<Anomaly> found =
        Parameters.flag("current", current)
            ? rules.anomalies().current().stream()
                .filter(each -> userId == null || each.userId().equals(userId))
                .filter(each -> !each.since().isBefore(from) && each.since().isBefore(to))
                .filter(each -> after.isEmpty() || NEWEST_FIRST.compare(each, after.get()) > 0)
                .sorted(NEWEST_FIRST)
                .limit(Pages.most(page))
                .toList()
            : rules
                .anomalies()
                .found(Optional.ofNullable(userId), from, to, after, Pages.most(page));
    return JsonEntity.ok(
        Pages.of(
            found,
            page,
            last -> Cursor.of(Words.micros(last.since()), last.userId(), last.endpoint()),
            AnomalyDocument::of));
  }

  /** Where a page of anomalies ended: of what was there only the place counts. */
  private static Anomaly position(Instant since, String userId, String endpoint) {
    return new Anomaly(userId, endpoint, 0, false, "", AnomalyAction.ALLOW, since, since);
  }

  /** Ends what is done about a caller. */
  @POST
  @Path("/anomalies/end")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Say that a caller is all right at an endpoint: nothing is done about it for a day",
      body = AnomalyEnd.class,
      answer = Void.class,
      status = 204,
      errors = {404, 413, 415, 503})
  public Response endAnomaly(JsonBody body, @Context SecurityContext caller) {
    AnomalyEnd end = body.as(AnomalyEnd.class);
    String userId = Words.required("userId", end.userId(), 500);
    String endpoint = Words.required("endpoint", end.endpoint(), 500);
    if (!rules.anomalies().end(userId, endpoint, Words.author(caller))) {
      throw Problem.notFound("Nothing is done about that user there.").exception();
    }
    return Response.noContent().build();
  }

  /** Lists rows that can't be used. */
  @GET
  @Path("/problems")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "List rows that can't be used as they are, and warnings",
      answer = ProblemDocument.class,
      answers = Many.LIST)
  public Response problems() {
    return JsonEntity.ok(rules.problems().stream().map(ProblemDocument::of).toList());
  }

  /** Lists the servers. */
  @GET
  @Path("/nodes")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "List the servers that run, and what each has done",
      answer = NodeDocument.class,
      answers = Many.LIST,
      errors = {503})
  public Response nodes() {
    return JsonEntity.ok(rules.nodes().current().stream().map(NodeDocument::of).toList());
  }
}
