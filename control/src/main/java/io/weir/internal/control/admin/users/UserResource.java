package io.weir.internal.control.admin.users;

import io.weir.annotation.Unlimited;
import io.weir.internal.control.json.FieldReader;
import io.weir.internal.control.paging.PageRequest;
import io.weir.internal.control.json.JsonBody;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.internal.control.resource.Operation.Many;
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
import org.jspecify.annotations.Nullable;

/**
 * The same as {@link UsersResource}, with the user in the query: containers refuse a path in which
 * a name has a slash, a backslash or a percent sign, as SPIFFE identities and addresses have.
 *
 * <p>Safe for concurrent use.
 */
@Path("/v1/admin/ratelimit/user")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class UserResource {
  private static final int CREATED = 201;
  private static final String NAME = "The user, whatever characters the name has";

  private final UsersResource users;

  /**
   * The resource of the users of some rules.
   *
   * @param users does the work
   */
  public UserResource(UsersResource users) {
    this.users = users;
  }

  private static String named(@Nullable String userId) {
    return FieldReader.required("userId", userId, UsersResource.LONGEST_USER);
  }

  /** Tells the row of a user. */
  @GET
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Tell the tier of a user",
      answer = UserDocument.class,
      errors = {404, 503})
  public Response one(@QueryParam("userId") @Described(NAME) @Nullable String userId) {
    return users.one(named(userId));
  }

  /** Gives a user a tier. */
  @PUT
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Give a user a tier and limits of its own; 201 if it had none",
      body = UserDocument.class,
      answer = UserDocument.class,
      errors = {409, 413, 415, 428, 503})
  public Response put(
      @QueryParam("userId") @Described(NAME) @Nullable String userId,
      @HeaderParam(HttpHeaders.IF_MATCH) @Described("Required where the user has a row")
          @Nullable String ifMatch,
      JsonBody body,
      @Context SecurityContext caller) {
    return users.put(named(userId), ifMatch, body, caller);
  }

  /** Deletes the row of a user. */
  @DELETE
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Give a user the default tier again",
      answer = Void.class,
      status = 204,
      errors = {409, 428, 503})
  public Response delete(
      @QueryParam("userId") @Described(NAME) @Nullable String userId,
      @HeaderParam(HttpHeaders.IF_MATCH) @Nullable String ifMatch,
      @Context SecurityContext caller) {
    return users.delete(named(userId), ifMatch, caller);
  }

  /** Removes a user everywhere. */
  @DELETE
  @Path("/data")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Remove a user everywhere: rows, usage, history, tokens, requests",
      answer = Void.class,
      status = 204,
      errors = {503})
  public Response forget(@QueryParam("userId") @Described(NAME) @Nullable String userId) {
    return users.forget(named(userId));
  }

  /** Tells the quota of a user. */
  @GET
  @Path("/quota")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Tell the quota of a user: what is used of it, and what it is made of",
      answer = QuotaOperations.QuotaDocument.class,
      errors = {503})
  public Response quota(@QueryParam("userId") @Described(NAME) @Nullable String userId) {
    return users.quota(named(userId));
  }

  /** Gives a user a quota of its own. */
  @PUT
  @Path("/quota")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Give a user a quota of its own; what is left out is as the rule says",
      body = QuotaOperations.QuotaSettings.class,
      answer = QuotaOperations.QuotaDocument.class,
      errors = {409, 413, 415, 428, 503})
  public Response putQuota(
      @QueryParam("userId") @Described(NAME) @Nullable String userId,
      @HeaderParam(HttpHeaders.IF_MATCH)
          @Described("Required where the user has a quota of its own")
          @Nullable String ifMatch,
      JsonBody body,
      @Context SecurityContext caller) {
    return users.putQuota(named(userId), ifMatch, body, caller);
  }

  /** Deletes a user's own quota. */
  @DELETE
  @Path("/quota")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Let a user have the quota of its rule again",
      answer = Void.class,
      status = 204,
      errors = {409, 428, 503})
  public Response deleteQuota(
      @QueryParam("userId") @Described(NAME) @Nullable String userId,
      @HeaderParam(HttpHeaders.IF_MATCH) @Nullable String ifMatch,
      @Context SecurityContext caller) {
    return users.deleteQuota(named(userId), ifMatch, caller);
  }

  /** Lists the billing periods of a user. */
  @GET
  @Path("/periods")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "List the billing periods of a user, the newest first",
      answer = QuotaOperations.PeriodDocument.class,
      answers = Many.LIST,
      errors = {503})
  public Response periods(
      @QueryParam("userId") @Described(NAME) @Nullable String userId, @BeanParam PageRequest page) {
    return users.periods(named(userId), page);
  }

  /** Lists the grants of a user. */
  @GET
  @Path("/grants")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "List what a user was granted beyond its quota, the newest first",
      answer = QuotaOperations.GrantDocument.class,
      answers = Many.LIST,
      errors = {503})
  public Response grants(@QueryParam("userId") @Described(NAME) @Nullable String userId) {
    return users.grants(named(userId));
  }

  /** Grants permits to a user. */
  @POST
  @Path("/grants")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Grant permits to a user, which hold at once",
      body = QuotaOperations.GrantDocument.class,
      answer = QuotaOperations.GrantDocument.class,
      status = CREATED,
      errors = {413, 415, 503})
  public Response grant(
      @QueryParam("userId") @Described(NAME) @Nullable String userId,
      JsonBody body,
      @Context SecurityContext caller) {
    return users.grant(named(userId), body, caller);
  }

  /** Takes a grant back. */
  @DELETE
  @Path("/grants/{id}")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Take a grant back, what was used of it in the running period too",
      answer = Void.class,
      status = 204,
      errors = {404, 409, 428, 503})
  public Response revoke(
      @QueryParam("userId") @Described(NAME) @Nullable String userId,
      @PathParam("id") String id,
      @HeaderParam(HttpHeaders.IF_MATCH) @Nullable String ifMatch,
      @Context SecurityContext caller) {
    return users.revoke(named(userId), id, ifMatch, caller);
  }
}
