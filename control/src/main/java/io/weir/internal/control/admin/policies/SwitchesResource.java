package io.weir.internal.control.admin.policies;

import io.weir.annotation.Unlimited;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.json.FieldReader;
import io.weir.internal.control.json.JsonBody;
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

/** What is switched off, or only measures, for a while. Safe for concurrent use. */
@Path("/v1/admin/ratelimit/switches")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class SwitchesResource {
  private final SwitchRepository switches;

  /** The resource of some switches. */
  public SwitchesResource(SwitchRepository switches) {
    this.switches = switches;
  }

  /** A switch in JSON. */
  record SwitchDocument(
      @Described("The name of a policy or rule; * means all") @Nullable String policy,
      @Described("OFF or SHADOW") @Nullable String state,
      @Described("When it ends by itself, at most 30 days ahead") @Nullable Instant until,
      @Described("Why") @Nullable String reason,
      @Described("Who set it; ignored in what is sent") @Nullable String setBy) {
    private static final int LONGEST_NAME = 64;
    private static final int LONGEST_REASON = 1_000;

    static SwitchDocument of(PolicySwitch each) {
      return new SwitchDocument(
          each.policy(), each.state().name(), each.until(), each.reason(), each.setBy());
    }

    PolicySwitch of(String named, String author) {
      return new PolicySwitch(
          FieldReader.required("policy", named, LONGEST_NAME),
          FieldReader.required("state", state, SwitchState.class),
          FieldReader.required("until", until),
          FieldReader.required("reason", reason, LONGEST_REASON),
          author);
    }
  }

  /** Lists switches. */
  @GET
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "List the switches that haven't ended",
      answer = SwitchDocument.class,
      answers = Many.LIST)
  public Response list() {
    return JsonEntity.ok(switches.all().stream().map(SwitchDocument::of).toList());
  }

  /** Sets a switch, in place of the one that there may be. */
  @PUT
  @Path("/{policy}")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Switch a policy off, or let it only measure, until a time",
      body = SwitchDocument.class,
      answer = SwitchDocument.class,
      errors = {409, 413, 415, 503})
  public Response set(
      @PathParam("policy") String policy, JsonBody body, @Context SecurityContext caller) {
    PolicySwitch wanted = body.as(SwitchDocument.class).of(policy, FieldReader.author(caller));
    switches.set(wanted);
    return JsonEntity.ok(SwitchDocument.of(wanted));
  }

  /** Ends a switch. */
  @DELETE
  @Path("/{policy}")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "End a switch before its time",
      answer = Void.class,
      status = 204,
      errors = {404, 409, 503})
  public Response end(@PathParam("policy") String policy, @Context SecurityContext caller) {
    if (!switches.end(policy, FieldReader.author(caller))) {
      throw Problem.notFound("There is no switch of " + policy + ".").exception();
    }
    return Response.noContent().build();
  }
}
