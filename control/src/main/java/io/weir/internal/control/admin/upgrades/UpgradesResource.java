package io.weir.internal.control.admin.upgrades;

import io.weir.annotation.Unlimited;
import io.weir.internal.control.access.CallerName;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.ParameterReader;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.json.FieldReader;
import io.weir.internal.control.json.JsonBody;
import io.weir.internal.control.paging.Cursor;
import io.weir.internal.control.paging.Page;
import io.weir.internal.control.paging.PageRequest;
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

/** Lists and decides requests for another tier. Safe for concurrent use. */
@Path("/v1/admin/ratelimit/upgrades")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class UpgradesResource {
  private static final int MAX_ANSWER = 1_000;

  private final TierUpgradeRepository upgrades;

  public UpgradesResource(TierUpgradeRepository upgrades) {
    this.upgrades = upgrades;
  }

  /** The message for the user. */
  record Answer(@Nullable String answer) {}

  record Pending(long pending) {}

  record UpgradeDetails(
      UpgradeDocument upgrade,
      @Described("The limits that would be lower; if there are any, the request can't be approved")
          List<String> lowered) {}

  @GET
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value = "List requests for another tier, newest first",
      answer = UpgradeDocument.class,
      answers = Many.PAGE)
  public Response list(
      @BeanParam PageRequest page,
      @QueryParam("status") @Described("PENDING, APPROVED, DECLINED or WITHDRAWN")
          @Nullable String status) {
    long before = page.cursor(1).map(cursor -> cursor.number(0)).orElse(Long.MAX_VALUE);
    List<TierUpgrade> found =
        upgrades.list(
            FieldReader.optional("status", status, UpgradeStatus.class), before, page.rowsToRead());
    return JsonEntity.ok(Page.of(found, page, last -> Cursor.of(last.id()), UpgradeDocument::of));
  }

  @GET
  @Path("/pending")
  @OpenTo(ControlRole.VIEW)
  @Operation(value = "Return the number of pending requests", answer = Pending.class)
  public Response pending() {
    return JsonEntity.ok(new Pending(upgrades.pending()));
  }

  @GET
  @Path("/{id}")
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value = "Return a request, and the limits that its tier would lower",
      answer = UpgradeDetails.class,
      errors = 404)
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
        .find(ParameterReader.rowId(id))
        .orElseThrow(() -> Problem.notFound("There is no request " + id + ".").exception());
  }

  @POST
  @Path("/{id}/approve")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Approve a request; fails if a limit would be lower",
      body = Answer.class,
      answer = UpgradeDocument.class,
      errors = {404, 409})
  public Response approve(
      @PathParam("id") String id, JsonBody body, @Context SecurityContext caller) {
    long row = found(id).id();
    return JsonEntity.ok(
        UpgradeDocument.of(upgrades.approve(row, message(body), CallerName.asAuthor(caller))));
  }

  private static String message(JsonBody body) {
    return FieldReader.optional("answer", body.as(Answer.class).answer(), MAX_ANSWER);
  }

  @POST
  @Path("/{id}/decline")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Decline a request",
      body = Answer.class,
      answer = UpgradeDocument.class,
      errors = {404, 409})
  public Response decline(
      @PathParam("id") String id, JsonBody body, @Context SecurityContext caller) {
    long row = found(id).id();
    return JsonEntity.ok(
        UpgradeDocument.of(upgrades.decline(row, message(body), CallerName.asAuthor(caller))));
  }
}
