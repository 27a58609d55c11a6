package io.weir.internal.control.dashboard;

import io.weir.annotation.Unlimited;
import io.weir.internal.control.access.Callers;
import io.weir.internal.control.admin.UpgradeDocument;
import io.weir.internal.control.admin.Words;
import io.weir.internal.control.decide.UserStatus;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.Parameters;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.json.JsonBody;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.internal.control.resource.Operation.Many;
import io.weir.rules.Rules;
import io.weir.rules.tier.TierUpgrade;
import io.weir.rules.tier.TierUpgradeRepository;
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
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** What users see of themselves, and what they may ask for. Safe for concurrent use. */
@Path("/v1/dashboard")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class DashboardResource {
  private static final int CREATED = 201;
  private static final int MOST_DAYS = 366;
  private static final int USUAL_DAYS = 30;
  private static final int LONGEST_TIER = 50;
  private static final int LONGEST_REASON = 1_000;

  private final UserOverview overview;
  private final UsageHistory history;
  private final TierUpgradeRepository upgrades;

  /**
   * The resource of an application's users.
   *
   * @param rules have their rows
   * @param status tells what is left
   */
  public DashboardResource(Rules rules, UserStatus status) {
    this.overview = new UserOverview(rules, status);
    this.history = new UsageHistory(rules.usage());
    this.upgrades = rules.upgrades();
  }

  /** What a user asks for. */
  record UpgradeRequest(@Nullable String requestedTier, @Nullable String reason) {}

  /** Tells how the signed-in user stands. */
  @GET
  @Path("/status")
  @OpenTo(ControlRole.USER)
  @Operation(
      value = "Tell tier, quota, usage and limits of who is signed in",
      answer = OverviewDocument.class,
      errors = {503})
  public Response status(@Context SecurityContext caller) {
    return JsonEntity.ok(overview.of(Callers.name(caller)));
  }

  /** Tells what the signed-in user has used, day by day. */
  @GET
  @Path("/usage/history")
  @OpenTo(ControlRole.USER)
  @Operation(
      value =
          "Tell what who is signed in has used, by days in UTC; of the last 30 unless they are"
              + " given, at most 366",
      answer = HistoryDocument.class,
      errors = {503})
  public Response history(
      @QueryParam("startDate") @Described("The first day") @Nullable String startDate,
      @QueryParam("endDate") @Described("The last day, which belongs to it")
          @Nullable String endDate,
      @Context SecurityContext caller) {
    LocalDate last =
        Parameters.day("endDate", endDate).orElseGet(() -> LocalDate.now(ZoneOffset.UTC));
    LocalDate first =
        Parameters.day("startDate", startDate).orElse(last.minusDays(USUAL_DAYS - 1L));
    if (first.isAfter(last)) {
      throw new InvalidFieldException("endDate", "must not be before startDate");
    }
    if (ChronoUnit.DAYS.between(first, last) >= MOST_DAYS) {
      throw new InvalidFieldException("endDate", "must be at most 366 days from startDate on");
    }
    return JsonEntity.ok(history.of(Callers.name(caller), first, last));
  }

  /** Asks for another tier. */
  @POST
  @Path("/tier/upgrade")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.USER)
  @Operation(
      value = "Ask for another tier",
      body = UpgradeRequest.class,
      answer = UpgradeDocument.class,
      status = CREATED,
      errors = {409, 413, 415, 503})
  public Response upgrade(JsonBody body, @Context SecurityContext caller) {
    UpgradeRequest wanted = body.as(UpgradeRequest.class);
    TierUpgrade saved =
        upgrades.request(
            Callers.name(caller),
            Words.required("requestedTier", wanted.requestedTier(), LONGEST_TIER),
            wanted.reason() == null
                ? ""
                : Words.required("reason", wanted.reason(), LONGEST_REASON));
    return JsonEntity.json(CREATED, UpgradeDocument.of(saved)).build();
  }

  /** Lists what the signed-in user has asked for. */
  @GET
  @Path("/tier/upgrades")
  @OpenTo(ControlRole.USER)
  @Operation(
      value = "List the requests of who is signed in, the newest first",
      answer = UpgradeDocument.class,
      answers = Many.LIST,
      errors = {503})
  public Response upgrades(@Context SecurityContext caller) {
    return JsonEntity.ok(
        upgrades.of(Callers.name(caller)).stream().map(UpgradeDocument::of).toList());
  }

  /** Takes a request back. */
  @POST
  @Path("/tier/upgrades/{id}/withdraw")
  @OpenTo(ControlRole.USER)
  @Operation(
      value = "Take a request back",
      answer = UpgradeDocument.class,
      errors = {404, 409, 503})
  public Response withdraw(@PathParam("id") String id, @Context SecurityContext caller) {
    String userId = Callers.name(caller);
    TierUpgrade own =
        upgrades.of(userId).stream()
            .filter(each -> Long.toString(each.id()).equals(id))
            .findFirst()
            .orElseThrow(() -> Problem.notFound("There is no such request.").exception());
    return JsonEntity.ok(UpgradeDocument.of(upgrades.withdraw(own.id(), userId)));
  }
}
