package io.weir.internal.control.admin.policies;

import io.weir.annotation.Unlimited;
import io.weir.internal.control.access.CallerName;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.json.FieldReader;
import io.weir.internal.control.json.JsonBody;
import io.weir.internal.control.json.JsonRecords;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.internal.control.resource.Operation.Many;
import io.weir.rules.PolicySwitch;
import io.weir.rules.SwitchRepository;
import io.weir.rules.SwitchState;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Switches policies off, or to measuring only, for a while. Safe for concurrent use. */
@Path("/v1/admin/ratelimit/switches")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class SwitchesResource {
  private final SwitchRepository switches;

  public SwitchesResource(SwitchRepository switches) {
    this.switches = switches;
  }

  record SwitchDocument(
      @Described("The name of a policy or rule; * for all") @Nullable String policy,
      @Described("OFF or SHADOW") @Nullable String state,
      @Described("When the switch ends, at most 30 days from now") @Nullable Instant until,
      @Described("Why it was set") @Nullable String reason,
      @Described("The user that set it; ignored in requests") @Nullable String setBy) {
    private static final int MAX_NAME = 64;
    private static final int MAX_REASON = 1_000;

    PolicySwitch toSwitch(String policyName, String author) {
      return new PolicySwitch(
          FieldReader.required("policy", policyName, MAX_NAME),
          FieldReader.required("state", state, SwitchState.class),
          FieldReader.required("until", until),
          FieldReader.required("reason", reason, MAX_REASON),
          author);
    }
  }

  @GET
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value = "List the switches that haven't ended",
      answer = SwitchDocument.class,
      answers = Many.LIST,
      needsDatabase = false)
  public Response list() {
    return JsonEntity.ok(JsonRecords.copies(switches.all(), SwitchDocument.class));
  }

  @PUT
  @Path("/{policy}")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Switch a policy off, or to measuring only, until a given time",
      body = SwitchDocument.class,
      answer = SwitchDocument.class,
      errors = 409)
  public Response set(
      @PathParam("policy") String policy, JsonBody body, @Context SecurityContext caller) {
    PolicySwitch wanted =
        body.as(SwitchDocument.class).toSwitch(policy, CallerName.asAuthor(caller));
    switches.set(wanted);
    return JsonEntity.ok(JsonRecords.copy(wanted, SwitchDocument.class));
  }

  @DELETE
  @Path("/{policy}")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "End a switch early",
      errors = {404, 409})
  public Response end(@PathParam("policy") String policy, @Context SecurityContext caller) {
    if (!switches.end(policy, CallerName.asAuthor(caller))) {
      throw Problem.notFound("There is no switch for " + policy + ".").exception();
    }
    return Response.noContent().build();
  }
}
