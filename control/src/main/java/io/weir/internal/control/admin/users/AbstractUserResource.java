package io.weir.internal.control.admin.users;

import io.weir.internal.control.access.CallerName;
import io.weir.internal.control.http.EntityTags;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.ParameterReader;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.json.JsonBody;
import io.weir.internal.control.paging.PageRequest;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.internal.control.resource.Operation.Many;
import io.weir.rules.Rules;
import io.weir.rules.problem.RuleProblem;
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
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Administers one user: tier, own limits, quota and grants. Its subclasses have the paths. */
public abstract class AbstractUserResource {
  private static final int OK = 200;
  private static final int CREATED = 201;

  private final Rules rules;
  private final UserTierRepository users;
  private final QuotaOperations quotas;

  AbstractUserResource(Rules rules) {
    this.rules = rules;
    this.users = rules.users();
    this.quotas = new QuotaOperations(rules.quotas());
  }

  @GET
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value = "Return the tier and own limits of a user",
      answer = UserDocument.class,
      errors = 404)
  public Response one(@BeanParam UserParameter user) {
    UserTier found =
        users
            .find(user.name())
            .orElseThrow(() -> Problem.notFound("The user has no tier of its own.").exception());
    return EntityTags.ok(UserDocument.of(found), found.version());
  }

  @PUT
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value =
          "Give a user a tier and limits of its own; 201 if it had none. A tier without limits"
              + " causes a warning",
      body = UserDocument.class,
      answer = UserDocument.class)
  public Response put(
      @BeanParam UserParameter user,
      @HeaderParam(HttpHeaders.IF_MATCH) @Described("Required if the user has a tier of its own")
          @Nullable String ifMatch,
      JsonBody body,
      @Context SecurityContext caller) {
    String userId = user.validName();
    OptionalLong seen = EntityTags.given(ifMatch);
    UserDocument sent = body.as(UserDocument.class);
    if (seen.isEmpty() && version(userId).isPresent()) {
      throw EntityTags.missing();
    }
    UserTier wanted = sent.user(userId, seen.orElse(0));
    UserTier saved =
        EntityTags.change(
            () -> users.save(wanted, CallerName.asAuthor(caller)), () -> version(userId));
    return EntityTags.tagged(
            seen.isPresent() ? OK : CREATED,
            UserDocument.of(saved, warnings(saved)),
            saved.version())
        .build();
  }

  private List<String> warnings(UserTier saved) {
    return users.check(saved).stream()
        .filter(RuleProblem::isWarning)
        .map(RuleProblem::message)
        .toList();
  }

  private OptionalLong version(String userId) {
    return EntityTags.of(
        users.find(userId).filter(each -> each.origin().isEmpty()), UserTier::version);
  }

  @DELETE
  @OpenTo(ControlRole.ADMIN)
  @Operation(value = "Reset a user to the default tier")
  public Response delete(
      @BeanParam UserParameter user,
      @HeaderParam(HttpHeaders.IF_MATCH) @Nullable String ifMatch,
      @Context SecurityContext caller) {
    String userId = user.name();
    long version = EntityTags.required(ifMatch);
    return EntityTags.delete(
        () -> users.delete(userId, version, CallerName.asAuthor(caller)), () -> version(userId));
  }

  /** Names the tables that still have a row of a user: whoever owns them can delete it. */
  record LeftDocument(List<String> left) {}

  @DELETE
  @Path("/data")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value =
          "Delete all data of a user: rows, usage, history, tokens, requests; 200 with {left:"
              + " [tables]} if a table that Weir only reads still has a row")
  public Response forget(@BeanParam UserParameter user) {
    List<String> left = rules.forget(user.validName());
    return left.isEmpty() ? Response.noContent().build() : JsonEntity.ok(new LeftDocument(left));
  }

  @GET
  @Path("/quota")
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value = "Return the quota of a user: how much of it is used, and its parts",
      answer = QuotaOperations.QuotaDocument.class)
  public Response quota(@BeanParam UserParameter user) {
    return quotas.read(user.name());
  }

  @PUT
  @Path("/quota")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Give a user a quota of its own; members that are left out follow the rule",
      body = QuotaOperations.QuotaSettings.class,
      answer = QuotaOperations.QuotaDocument.class)
  public Response putQuota(
      @BeanParam UserParameter user,
      @HeaderParam(HttpHeaders.IF_MATCH) @Described("Required if the user has a quota of its own")
          @Nullable String ifMatch,
      JsonBody body,
      @Context SecurityContext caller) {
    return quotas.save(
        user.validName(),
        EntityTags.given(ifMatch),
        body.as(QuotaOperations.QuotaSettings.class),
        CallerName.asAuthor(caller));
  }

  @DELETE
  @Path("/quota")
  @OpenTo(ControlRole.ADMIN)
  @Operation(value = "Reset a user to the quota of its rule")
  public Response deleteQuota(
      @BeanParam UserParameter user,
      @HeaderParam(HttpHeaders.IF_MATCH) @Nullable String ifMatch,
      @Context SecurityContext caller) {
    return quotas.delete(user.name(), EntityTags.required(ifMatch), CallerName.asAuthor(caller));
  }

  @GET
  @Path("/periods")
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value = "List the billing periods of a user, newest first",
      answer = QuotaOperations.PeriodDocument.class,
      answers = Many.LIST)
  public Response periods(@BeanParam UserParameter user, @BeanParam PageRequest page) {
    return quotas.periods(user.name(), page.limit());
  }

  @GET
  @Path("/grants")
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value = "List the permits that a user was granted beyond its quota, newest first",
      answer = QuotaOperations.GrantDocument.class,
      answers = Many.LIST)
  public Response grants(@BeanParam UserParameter user) {
    return quotas.grants(user.name());
  }

  @POST
  @Path("/grants")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Grant permits to a user, effective at once",
      body = QuotaOperations.GrantDocument.class,
      answer = QuotaOperations.GrantDocument.class,
      status = CREATED)
  public Response grant(
      @BeanParam UserParameter user, JsonBody body, @Context SecurityContext caller) {
    return quotas.grant(
        user.validName(),
        body.as(QuotaOperations.GrantDocument.class),
        CallerName.asAuthor(caller));
  }

  @DELETE
  @Path("/grants/{id}")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Revoke a grant, including the permits used of it in the current period",
      errors = 404)
  public Response revoke(
      @BeanParam UserParameter user,
      @PathParam("id") String id,
      @HeaderParam(HttpHeaders.IF_MATCH) @Nullable String ifMatch,
      @Context SecurityContext caller) {
    return quotas.revoke(
        user.name(),
        ParameterReader.rowId(id),
        EntityTags.required(ifMatch),
        CallerName.asAuthor(caller));
  }
}
