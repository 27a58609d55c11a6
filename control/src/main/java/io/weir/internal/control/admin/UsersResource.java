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
import io.weir.rules.Rules;
import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import io.weir.rules.tier.UserTierRepository;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The tiers and own limits of users. Safe for concurrent use. */
@Path("/v1/admin/ratelimit/users")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class UsersResource {
  private static final int CREATED = 201;
  static final int LONGEST_USER = 500;

  private final Rules rules;
  private final UserTierRepository users;
  private final UserQuotas quotas;

  /** The resource of the users of some rules. */
  public UsersResource(Rules rules) {
    this.rules = rules;
    this.users = rules.users();
    this.quotas = new UserQuotas(rules.quotas());
  }

  /** Lists users that have a row. */
  @GET
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "List the users that have a tier of their own, by name",
      answer = UserDocument.class,
      answers = Many.PAGE,
      errors = {503})
  public Response list(
      @BeanParam PageRequest page,
      @QueryParam("tier") @Described("Only those of this tier") @Nullable String tier,
      @QueryParam("state") @Described("Only those of this state") @Nullable String state) {
    String after = page.cursor(1).map(cursor -> cursor.text(0)).orElse("");
    List<UserTier> found =
        users.list(
            Optional.ofNullable(tier),
            Words.word("state", state, UserState.class),
            after,
            Pages.most(page));
    return JsonEntity.ok(Pages.of(found, page, last -> Cursor.of(last.userId()), UserDocument::of));
  }

  /** Tells the row of a user. */
  @GET
  @Path("/{userId}")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Tell the tier of a user",
      answer = UserDocument.class,
      errors = {404, 503})
  public Response one(@PathParam("userId") String userId) {
    UserTier user =
        users
            .find(userId)
            .orElseThrow(() -> Problem.notFound("The user has no tier of its own.").exception());
    return Versions.ok(UserDocument.of(user), user.version());
  }

  /** Gives a user a tier. */
  @PUT
  @Path("/{userId}")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Give a user a tier and limits of its own; 201 if it had none",
      body = UserDocument.class,
      answer = UserDocument.class,
      errors = {409, 413, 415, 428, 503})
  public Response put(
      @PathParam("userId") String userId,
      @HeaderParam(HttpHeaders.IF_MATCH) @Described("Required where the user has a row")
          @Nullable String ifMatch,
      JsonBody body,
      @Context SecurityContext caller) {
    String named = Words.required("userId", userId, LONGEST_USER);
    OptionalLong seen = Versions.given(ifMatch);
    UserDocument sent = body.as(UserDocument.class);
    if (seen.isEmpty() && users.find(named).isPresent()) {
      throw Versions.missing();
    }
    UserTier wanted = sent.user(named, seen.orElse(0));
    UserTier saved =
        Versions.changing(
            () -> users.save(wanted, Words.author(caller)),
            () -> Versions.of(users.find(named), UserTier::version));
    return Versions.tagged(
            seen.isPresent() ? 200 : CREATED, UserDocument.of(saved), saved.version())
        .build();
  }

  /** Deletes the row of a user. */
  @DELETE
  @Path("/{userId}")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Give a user the default tier again",
      answer = Void.class,
      status = 204,
      errors = {409, 428, 503})
  public Response delete(
      @PathParam("userId") String userId,
      @HeaderParam(HttpHeaders.IF_MATCH) @Nullable String ifMatch,
      @Context SecurityContext caller) {
    long version = Versions.required(ifMatch);
    return Versions.deleting(
        () -> users.delete(userId, version, Words.author(caller)),
        () -> Versions.of(users.find(userId), UserTier::version));
  }

  /** Removes a user everywhere. */
  @DELETE
  @Path("/{userId}/data")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Remove a user everywhere: rows, usage, history, tokens, requests",
      answer = Void.class,
      status = 204,
      errors = {503})
  public Response forget(@PathParam("userId") String userId) {
    rules.forget(userId);
    return Response.noContent().build();
  }

  /** Tells the quota of a user. */
  @GET
  @Path("/{userId}/quota")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Tell the quota of a user: what is used of it, and what it is made of",
      answer = UserQuotas.QuotaDocument.class,
      errors = {503})
  public Response quota(@PathParam("userId") String userId) {
    return quotas.told(userId);
  }

  /** Gives a user a quota of its own. */
  @PUT
  @Path("/{userId}/quota")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Give a user a quota of its own; what is left out is as the rule says",
      body = UserQuotas.QuotaSettings.class,
      answer = UserQuotas.QuotaDocument.class,
      errors = {409, 413, 415, 428, 503})
  public Response putQuota(
      @PathParam("userId") String userId,
      @HeaderParam(HttpHeaders.IF_MATCH)
          @Described("Required where the user has a quota of its own")
          @Nullable String ifMatch,
      JsonBody body,
      @Context SecurityContext caller) {
    return quotas.save(
        Words.required("userId", userId, LONGEST_USER),
        Versions.given(ifMatch),
        body.as(UserQuotas.QuotaSettings.class),
        Words.author(caller));
  }

  /** Deletes a user's own quota. */
  @DELETE
  @Path("/{userId}/quota")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Let a user have the quota of its rule again",
      answer = Void.class,
      status = 204,
      errors = {409, 428, 503})
  public Response deleteQuota(
      @PathParam("userId") String userId,
      @HeaderParam(HttpHeaders.IF_MATCH) @Nullable String ifMatch,
      @Context SecurityContext caller) {
    return quotas.delete(userId, Versions.required(ifMatch), Words.author(caller));
  }

  /** Lists the billing periods of a user. */
  @GET
  @Path("/{userId}/periods")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "List the billing periods of a user, the newest first",
      answer = UserQuotas.PeriodDocument.class,
      answers = Many.LIST,
      errors = {503})
  public Response periods(@PathParam("userId") String userId, @BeanParam PageRequest page) {
    return quotas.periods(userId, page.limit());
  }

  /** Lists the grants of a user. */
  @GET
  @Path("/{userId}/grants")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "List what a user was granted beyond its quota, the newest first",
      answer = UserQuotas.GrantDocument.class,
      answers = Many.LIST,
      errors = {503})
  public Response grants(@PathParam("userId") String userId) {
    return quotas.grants(userId);
  }

  /** Grants permits to a user. */
  @POST
  @Path("/{userId}/grants")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Grant permits to a user, which hold at once",
      body = UserQuotas.GrantDocument.class,
      answer = UserQuotas.GrantDocument.class,
      status = CREATED,
      errors = {413, 415, 503})
  public Response grant(
      @PathParam("userId") String userId, JsonBody body, @Context SecurityContext caller) {
    return quotas.grant(
        Words.required("userId", userId, LONGEST_USER),
        body.as(UserQuotas.GrantDocument.class),
        Words.author(caller));
  }

  /** Takes a grant back. */
  @DELETE
  @Path("/{userId}/grants/{id}")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Take a grant back, what was used of it in the running period too",
      answer = Void.class,
      status = 204,
      errors = {404, 409, 428, 503})
  public Response revoke(
      @PathParam("userId") String userId,
      @PathParam("id") String id,
      @HeaderParam(HttpHeaders.IF_MATCH) @Nullable String ifMatch,
      @Context SecurityContext caller) {
    return quotas.revoke(userId, Words.id(id), Versions.required(ifMatch), Words.author(caller));
  }
}
