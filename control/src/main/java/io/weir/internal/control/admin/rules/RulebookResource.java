package io.weir.internal.control.admin.rules;

import io.weir.annotation.Unlimited;
import io.weir.internal.control.access.CallerName;
import io.weir.internal.control.http.BoundedBodyReader;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.ParameterReader;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.json.JsonBody;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.rules.RuleRepository;
import io.weir.rules.RulebookYaml;
import io.weir.rules.problem.InvalidRuleException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Exports and imports rules and costs as one file, and changes several rules together. Safe for
 * concurrent use.
 */
@Path("/v1/admin/ratelimit/rulebook")
@Unlimited
public final class RulebookResource {
  private static final String YAML = "application/yaml";
  private static final int BAD_REQUEST = 400;

  private final RuleRepository rules;
  private final RulebookYaml rulebook;

  public RulebookResource(RuleRepository rules, RulebookYaml rulebook) {
    this.rules = rules;
    this.rulebook = rulebook;
  }

  /** Lists the changes that were made, or would be: a line for each. */
  record Difference(List<String> changes) {}

  @GET
  @Produces(YAML)
  @OpenTo(ControlRole.VIEW)
  @Operation(value = "Export all rules and costs as YAML", answer = String.class)
  public Response export() {
    byte[] utf8 = rulebook.export().getBytes(StandardCharsets.UTF_8);
    StreamingOutput file = out -> out.write(utf8);
    return Response.ok(file, YAML + ";charset=UTF-8").build();
  }

  @PUT
  @Consumes(YAML)
  @Produces(MediaType.APPLICATION_JSON)
  @OpenTo(value = ControlRole.ADMIN, dryRun = ControlRole.VIEW)
  @Operation(
      value = "Replace all rules and costs by those of a file of at most 1 MiB",
      body = String.class,
      answer = Difference.class,
      errors = 409)
  public Response apply(
      InputStream file,
      @QueryParam(ParameterReader.DRY_RUN) @Described("true: change nothing, only list the changes")
          @Nullable String dryRun,
      @Context SecurityContext caller)
      throws IOException {
    boolean isDry = ParameterReader.flag(ParameterReader.DRY_RUN, dryRun);
    String yaml = text(BoundedBodyReader.read(file, RuleChangePlan.MAX_BYTES));
    try {
      return JsonEntity.ok(
          new Difference(
              isDry ? rulebook.compare(yaml) : rulebook.apply(yaml, CallerName.asAuthor(caller))));
    } catch (InvalidRuleException invalid) {
      throw invalid;
    } catch (IllegalArgumentException mistakes) {
      List<String> lines = String.valueOf(mistakes.getMessage()).lines().toList();
      throw Problem.of(BAD_REQUEST, String.join("; ", lines)).with("problems", lines).exception();
    }
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Produces(MediaType.APPLICATION_JSON)
  @OpenTo(value = ControlRole.ADMIN, dryRun = ControlRole.VIEW)
  @Operation(
      value =
          "Add, replace and delete several rules in one transaction: all, or none; 'undo' of the"
              + " answer takes them back, sent in the same way. At most 1 MiB",
      body = RuleChangesDocument.class,
      answer = RuleChangesDocument.SavedChanges.class,
      errors = 409)
  public Response change(
      InputStream body,
      @QueryParam(ParameterReader.DRY_RUN)
          @Described("true: save nothing, only check the rules and return their warnings")
          @Nullable String dryRun,
      @Context SecurityContext caller) {
    boolean isDry = ParameterReader.flag(ParameterReader.DRY_RUN, dryRun);
    JsonBody changes = new JsonBody(BoundedBodyReader.read(body, RuleChangePlan.MAX_BYTES));
    RuleChangePlan plan = RuleChangePlan.of(changes.as(RuleChangesDocument.class), rules);
    return JsonEntity.ok(isDry ? plan.check() : plan.save(CallerName.asAuthor(caller)));
  }

  private static String text(byte[] utf8) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException garbled) {
      throw Problem.of(BAD_REQUEST, "The file isn't UTF-8.").exception();
    }
  }
}
