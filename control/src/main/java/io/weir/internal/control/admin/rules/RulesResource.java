package io.weir.internal.control.admin.rules;

import io.weir.annotation.Unlimited;
import io.weir.internal.control.access.CallerName;
import io.weir.internal.control.http.EntityTags;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.ParameterReader;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.http.RowWarnings;
import io.weir.internal.control.json.FieldReader;
import io.weir.internal.control.json.JsonBody;
import io.weir.internal.control.paging.Page;
import io.weir.internal.control.paging.PageRequest;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.internal.control.resource.Operation.Many;
import io.weir.rules.Rule;
import io.weir.rules.RuleRepository;
import io.weir.rules.RuleState;
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
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Administers the rules of all tiers. Safe for concurrent use. */
@Path("/v1/admin/ratelimit/rules")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class RulesResource {
  private static final int CREATED = 201;

  private final RuleRepository rules;

  public RulesResource(RuleRepository rules) {
    this.rules = rules;
  }

  record StateChange(@Described("DRAFT, SHADOW or ENFORCED") @Nullable String state) {}

  @GET
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value = "List rules by id",
      answer = RuleDocument.class,
      answers = Many.PAGE,
      needsDatabase = false)
  public Response list(
      @BeanParam PageRequest page,
      @QueryParam("tier") @Described("Only the rules of this tier") @Nullable String tier,
      @QueryParam("state") @Described("Only the rules in this state") @Nullable String state) {
    return JsonEntity.ok(page(page, tier, FieldReader.optional("state", state, RuleState.class)));
  }

  private Page<RuleDocument> page(
      PageRequest page, @Nullable String tier, Optional<RuleState> state) {
    return Page.byId(
        rules.all().stream()
            .filter(each -> tier == null || each.tier().equals(tier))
            .filter(each -> state.isEmpty() || each.state() == state.get()),
        page,
        Rule::id,
        each -> RuleDocument.of(each, null));
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(value = ControlRole.ADMIN, dryRun = ControlRole.VIEW)
  @Operation(
      value =
          "Add a rule (201); or, with {tier, rules: [{endpoint, limit, window}]}, update the tier's"
              + " rules of these patterns and windows, and add those that are missing (200)",
      body = RuleDocument.class,
      answer = RuleDocument.class,
      status = CREATED,
      errors = 409)
  public Response add(
      JsonBody body,
      @QueryParam(ParameterReader.DRY_RUN)
          @Described("true: save nothing, only check the rule and return its warnings (200)")
          @Nullable String dryRun,
      @Context UriInfo uri,
      @Context SecurityContext caller) {
    boolean isDry = ParameterReader.flag(ParameterReader.DRY_RUN, dryRun);
    if (!body.isList() && body.has("rules")) {
      TierRulesDocument wanted = body.as(TierRulesDocument.class);
      List<Rule> changed = wanted.applied(rules.all());
      List<Rule> saved = isDry ? changed : rules.saveAll(changed, CallerName.asAuthor(caller));
      return JsonEntity.ok(TierRulesDocument.saved(wanted, saved));
    }
    Rule rule = body.as(RuleDocument.class).rule(0, 0, "");
    List<String> warnings = warnings(rule);
    if (isDry) {
      return JsonEntity.ok(RuleDocument.of(rule, warnings));
    }
    Rule saved = rules.save(rule, CallerName.asAuthor(caller));
    return EntityTags.created(uri, saved.id(), RuleDocument.of(saved, warnings), saved.version());
  }

  private List<String> warnings(Rule rule) {
    return RowWarnings.of(rules.check(rule));
  }

  /** Digits are always an id. */
  @GET
  @Path("/{id}")
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value = "Return the rule of an id, or list the rules of a tier",
      answer = RuleDocument.class,
      errors = 404,
      needsDatabase = false)
  public Response one(
      @PathParam("id") @Described("An id if it has digits only, else a tier") String idOrTier,
      @BeanParam PageRequest page) {
    if (!isId(idOrTier)) {
      return JsonEntity.ok(page(page, idOrTier, Optional.empty()));
    }
    Rule rule = found(idOrTier);
    return EntityTags.ok(RuleDocument.of(rule, null), rule.version());
  }

  private static boolean isId(String text) {
    return !text.isEmpty() && text.chars().allMatch(each -> each >= '0' && each <= '9');
  }

  private Rule found(String id) {
    return rules
        .find(ParameterReader.rowId(id))
        .orElseThrow(() -> Problem.notFound("There is no rule " + id + ".").exception());
  }

  @PUT
  @Path("/{id}")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(value = ControlRole.ADMIN, dryRun = ControlRole.VIEW)
  @Operation(
      value = "Replace a rule",
      body = RuleDocument.class,
      answer = RuleDocument.class,
      errors = 404)
  public Response replace(
      @PathParam("id") String id,
      @HeaderParam(HttpHeaders.IF_MATCH) @Nullable String ifMatch,
      @QueryParam(ParameterReader.DRY_RUN)
          @Described("true: save nothing, only check the rule and return its warnings")
          @Nullable String dryRun,
      JsonBody body,
      @Context SecurityContext caller) {
    long version = EntityTags.required(ifMatch);
    Rule now = found(id);
    String generatedName = now.givenName().isPresent() ? "" : now.name();
    Rule rule = body.as(RuleDocument.class).rule(now.id(), version, generatedName);
    List<String> warnings = warnings(rule);
    if (ParameterReader.flag(ParameterReader.DRY_RUN, dryRun)) {
      return JsonEntity.ok(RuleDocument.of(rule, warnings));
    }
    Rule saved = save(rule, caller);
    return EntityTags.ok(RuleDocument.of(saved, warnings), saved.version());
  }

  private Rule save(Rule rule, SecurityContext caller) {
    return EntityTags.change(
        () -> rules.save(rule, CallerName.asAuthor(caller)), () -> version(rule.id()));
  }

  private OptionalLong version(long id) {
    return rules.version(id);
  }

  @POST
  @Path("/{id}/state")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Change the state of a rule: draft, shadow or enforced",
      body = StateChange.class,
      answer = RuleDocument.class,
      errors = 404)
  public Response state(
      @PathParam("id") String id,
      @HeaderParam(HttpHeaders.IF_MATCH) @Nullable String ifMatch,
      JsonBody body,
      @Context SecurityContext caller) {
    long version = EntityTags.required(ifMatch);
    Rule now = found(id);
    RuleState state =
        FieldReader.required("state", body.as(StateChange.class).state(), RuleState.class);
    Rule saved = save(now.toBuilder().row(now.id(), version).state(state).build(), caller);
    return EntityTags.ok(RuleDocument.of(saved, null), saved.version());
  }

  @DELETE
  @Path("/{id}")
  @OpenTo(ControlRole.ADMIN)
  @Operation(value = "Delete a rule", errors = 404)
  public Response delete(
      @PathParam("id") String id,
      @HeaderParam(HttpHeaders.IF_MATCH) @Nullable String ifMatch,
      @Context SecurityContext caller) {
    long version = EntityTags.required(ifMatch);
    long given = ParameterReader.rowId(id);
    long row = version(given).isPresent() ? given : found(id).id();
    return EntityTags.delete(
        () -> rules.delete(row, version, CallerName.asAuthor(caller)), () -> version(row));
  }
}
