package io.weir.internal.control.admin;

import io.weir.annotation.Unlimited;
import io.weir.internal.control.http.Cursor;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.PageRequest;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.json.JsonBody;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.internal.control.resource.Operation.Many;
import io.weir.rules.tier.TierUpgrade;
import io.weir.rules.tier.TierUpgradeRepository;
import io.weir.rules.tier.UpgradeStatus;
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
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who asks for another tier. Safe for concurrent use. */
@Path("/v1/admin/ratelimit/upgrades")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class UpgradesResource {
  private static final int LONGEST_ANSWER = 1_000;

  private final TierUpgradeRepository upgrades;

  /** The resource of some requests. */
  public UpgradesResource(TierUpgradeRepository upgrades) {
    this.upgrades = upgrades;
  }

  /** A word for the user. */
  record Answer(@Nullable String answer) {}

  /** How many wait for a decision. */
  record Pending(long pending) {}

  /** A request, and what its tier would lower. */
  record UpgradeDetails(
      UpgradeDocument upgrade,
      @Described("Limits that would be lower, which stop an approval") List<String> lowered) {}

  /** Lists requests. */
  @GET
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "List requests for another tier, the newest first",
      answer = UpgradeDocument.class,
      answers = Many.PAGE,
      errors = {503})
  public Response list(
      @BeanParam PageRequest page,
      @QueryParam("status") @Described("PENDING, APPROVED, DECLINED or WITHDRAWN")
          @Nullable String status) {
    long before = page.cursor(1).map(cursor -> cursor.number(0)).orElse(Long.MAX_VALUE);
    List<TierUpgrade> found =
        upgrades.list(Words.word("status", status, UpgradeStatus.class), before, Pages.most(page));
    return JsonEntity.ok(Pages.of(found, page, last -> Cursor.of(last.id()), UpgradeDocument::of));
  }

  /** Counts those that wait. */
  @GET
  @Path("/pending")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Tell how many requests wait for a decision",
      answer = Pending.class,
      errors = {503})
  public Response pending() {
    return JsonEntity.ok(new Pending(upgrades.pending()));
  }

  /** Tells one request. */
  @GET
  @Path("/{id}")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Tell one request, and what its tier would lower",
      answer = UpgradeDetails.class,
      errors = {404, 503})
  public Response one(@PathParam("id") String id) {
    TierUpgrade upgrade = found(id);
    return JsonEntity.ok(
        new UpgradeDetails(
            UpgradeDocument.of(upgrade),
            upgrade.status() == UpgradeStatus.PENDING
                ? upgrades.lowered(upgrade.userId(), upgrade.requestedTier())
                : List.of()));
  }

  private TierUpgrade found(String id) {
    return upgrades
        .find(Words.id(id))
        .orElseThrow(() -> Problem.notFound("There is no request " + id + ".").exception());
  }

  /** Approves a request. */
  @POST
  @Path("/{id}/approve")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Give the user the tier; refused where a limit would be lower",
      body = Answer.class,
      answer = UpgradeDocument.class,
      errors = {404, 409, 413, 415, 503})
  public Response approve(
      @PathParam("id") String id, JsonBody body, @Context SecurityContext caller) {
    long row = found(id).id();
    return JsonEntity.ok(
        UpgradeDocument.of(upgrades.approve(row, word(body), Words.author(caller))));
  }

  private static String word(JsonBody body) {
    return Words.optional("answer", body.as(Answer.class).answer(), LONGEST_ANSWER);
  }

  /** Declines a request. */
  @POST
  @Path("/{id}/decline")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Say no",
      body = Answer.class,
      answer = UpgradeDocument.class,
      errors = {404, 409, 413, 415, 503})
  public Response decline(
      @PathParam("id") String id, JsonBody body, @Context SecurityContext caller) {
    long row = found(id).id();
    return JsonEntity.ok(
        UpgradeDocument.of(upgrades.decline(row, word(body), Words.author(caller))));
  }
}
