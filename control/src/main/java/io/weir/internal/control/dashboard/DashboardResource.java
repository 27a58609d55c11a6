package io.weir.internal.control.dashboard;

import io.weir.Ticker;
import io.weir.annotation.Unlimited;
import io.weir.internal.control.access.CallerName;
import io.weir.internal.control.admin.upgrades.UpgradeDocument;
import io.weir.internal.control.decide.UserStatusReader;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.ParameterReader;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.json.FieldReader;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.json.JsonBody;
import io.weir.internal.control.json.JsonRecords;
import io.weir.internal.control.paging.TimeSpan;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.internal.control.resource.Operation.Many;
import io.weir.internal.control.settings.ControlSettings;
import io.weir.rules.Rules;
import io.weir.rules.tier.TierUpgrade;
import io.weir.rules.tier.TierUpgradeRepository;
import io.weir.rules.usage.Usage;
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
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Serves signed-in users: their limits, usage and tier requests. Safe for concurrent use. */
@Path("/v1/dashboard")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class DashboardResource {
  private static final int CREATED = 201;
  private static final int MAX_DAYS = 366;
  private static final int DEFAULT_DAYS = 30;
  private static final int DEFAULT_REFUSALS = 100;
  private static final Duration DEFAULT_TIME = Duration.ofDays(1);
  private static final Duration MAX_HOURS = Duration.ofDays(8);
  private static final int MAX_TIER = 50;
  private static final int MAX_REASON = 1_000;

  private final UnaryOperator<String> settings;
  private final Ticker ticker;
  private final UserOverviewReader overview;
  private final UsageHistoryReader history;
  private final TierUpgradeRepository upgrades;
  private final Usage usage;

  public DashboardResource(
      Rules rules, UserStatusReader status, UnaryOperator<String> settings, Ticker ticker) {
    this.settings = settings;
    this.ticker = ticker;
    this.overview = new UserOverviewReader(rules, status, ticker);
    this.history = new UsageHistoryReader(rules.usage());
    this.upgrades = rules.upgrades();
    this.usage = rules.usage();
  }

  record UpgradeRequest(@Nullable String requestedTier, @Nullable String reason) {}

  @GET
  @Path("/status")
  @OpenTo(ControlRole.USER)
  @Operation(
      value = "Return the tier, quota, usage and limits of the signed-in user",
      answer = UserOverviewDocument.class)
  public Response status(@Context SecurityContext caller) {
    return JsonEntity.ok(overview.of(CallerName.of(caller)));
  }

  @GET
  @Path("/usage/history")
  @OpenTo(ControlRole.USER)
  @Operation(
      value =
          "Return the usage of the signed-in user by day in UTC; by default of the last 30 days,"
              + " at most of 366",
      answer = UsageHistoryDocument.class)
  public Response history(
      @QueryParam("startDate") @Described("The first day") @Nullable String startDate,
      @QueryParam("endDate") @Described("The last day, inclusive") @Nullable String endDate,
      @Context SecurityContext caller) {
    LocalDate last =
        ParameterReader.day("endDate", endDate)
            .orElseGet(() -> LocalDate.ofInstant(ticker.instant(), ZoneOffset.UTC));
    LocalDate first =
        ParameterReader.day("startDate", startDate).orElse(last.minusDays(DEFAULT_DAYS - 1L));
    if (first.isAfter(last)) {
      throw new InvalidFieldException("endDate", "must not be before startDate");
    }
    if (ChronoUnit.DAYS.between(first, last) >= MAX_DAYS) {
      throw new InvalidFieldException("endDate", "must be less than 366 days after startDate");
    }
    return JsonEntity.ok(history.of(CallerName.of(caller), first, last));
  }

  @GET
  @Path("/usage/hours")
  @OpenTo(ControlRole.USER)
  @Operation(
      value =
          "Return the usage of the signed-in user by hour and endpoint, the oldest first; by"
              + " default of the last 24 hours, at most of 8 days",
      answer = UsageHourDocument.class,
      answers = Many.LIST)
  public Response hours(
      @QueryParam("from") @Described("The beginning, inclusive, such as 2026-11-01T00:00:00Z")
          @Nullable String from,
      @QueryParam("to") @Described("The end, exclusive") @Nullable String to,
      @Context SecurityContext caller) {
    TimeSpan time = TimeSpan.of(from, to, DEFAULT_TIME, ticker).atMost(MAX_HOURS);
    return JsonEntity.ok(
        JsonRecords.copies(
            usage.hours(CallerName.of(caller), time.from(), time.to()), UsageHourDocument.class));
  }

  @GET
  @Path("/refusals")
  @OpenTo(ControlRole.USER)
  @Operation(
      value =
          "List the refusals of the signed-in user, newest first; by default of the last 24 hours",
      answer = RefusalDocument.class,
      answers = Many.LIST)
  public Response refusals(
      @QueryParam("from") @Described("The beginning, inclusive, such as 2026-11-01T00:00:00Z")
          @Nullable String from,
      @QueryParam("to") @Described("The end, exclusive") @Nullable String to,
      @QueryParam("limit")
          @Described("The maximum number of items to return, 1 to 1000; default 100")
          @Nullable String limit,
      @Context SecurityContext caller) {
    TimeSpan time = TimeSpan.of(from, to, DEFAULT_TIME, ticker);
    int most =
        (int) ParameterReader.number("limit", limit, 1, Usage.MAX_ROWS).orElse(DEFAULT_REFUSALS);
    return JsonEntity.ok(
        JsonRecords.copies(
            usage.violationsOf(CallerName.of(caller), time.from(), time.to(), most),
            RefusalDocument.class));
  }

  @GET
  @Path("/tiers")
  @OpenTo(ControlRole.USER)
  @Operation(
      value =
          "List the tiers that the signed-in user may ask for, after its current one, with the"
              + " limits that it would have there",
      answer = TierOfferDocument.class,
      answers = Many.LIST)
  public Response tiers(@Context SecurityContext caller) {
    return JsonEntity.ok(
        upgrades.offers(CallerName.of(caller)).stream()
            .filter(each -> each.isCurrent() || isOffered(each.tier()))
            .map(TierOfferDocument::of)
            .toList());
  }

  /** Other tiers may be those of single customers, whose names are nobody else's business. */
  private boolean isOffered(String tier) {
    String offered = ControlSettings.TIERS.read(settings);
    return offered.isBlank()
        || Arrays.stream(offered.split(",", -1)).anyMatch(each -> each.strip().equals(tier));
  }

  @POST
  @Path("/tier/upgrade")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.USER)
  @Operation(
      value = "Request another tier",
      body = UpgradeRequest.class,
      answer = UpgradeDocument.class,
      status = CREATED,
      errors = 409)
  public Response upgrade(JsonBody body, @Context SecurityContext caller) {
    UpgradeRequest wanted = body.asIgnoringUnknown(UpgradeRequest.class);
    String tier = FieldReader.required("requestedTier", wanted.requestedTier(), MAX_TIER);
    if (!isOffered(tier)) {
      throw new InvalidFieldException("requestedTier", "must be a tier that users may ask for");
    }
    TierUpgrade saved =
        upgrades.request(
            CallerName.of(caller),
            tier,
            wanted.reason() == null
                ? ""
                : FieldReader.required("reason", wanted.reason(), MAX_REASON));
    return JsonEntity.json(CREATED, UpgradeDocument.of(saved)).build();
  }

  @GET
  @Path("/tier/upgrades")
  @OpenTo(ControlRole.USER)
  @Operation(
      value = "List the tier requests of the signed-in user, newest first",
      answer = UpgradeDocument.class,
      answers = Many.LIST)
  public Response upgrades(@Context SecurityContext caller) {
    return JsonEntity.ok(
        upgrades.of(CallerName.of(caller)).stream().map(UpgradeDocument::of).toList());
  }

  @POST
  @Path("/tier/upgrades/{id}/withdraw")
  @OpenTo(ControlRole.USER)
  @Operation(
      value = "Withdraw a tier request",
      answer = UpgradeDocument.class,
      errors = {404, 409})
  public Response withdraw(@PathParam("id") String id, @Context SecurityContext caller) {
    String userId = CallerName.of(caller);
    TierUpgrade own =
        upgrades.of(userId).stream()
            .filter(each -> Long.toString(each.id()).equals(id))
            .findFirst()
            .orElseThrow(() -> Problem.notFound("There is no request " + id + ".").exception());
    return JsonEntity.ok(UpgradeDocument.of(upgrades.withdraw(own.id(), userId)));
  }
}
