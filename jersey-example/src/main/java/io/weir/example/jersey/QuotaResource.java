package io.weir.example.jersey;

import io.weir.Weir;
import io.weir.rules.quota.Quota;
import io.weir.rules.Rules;
import io.weir.rules.problem.RulesUnavailableException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes one of the caller's quota, and tells what is left of it. */
@Path("/api/quota")
@Produces(MediaType.APPLICATION_JSON)
public class QuotaResource {
  private final Weir weir;

  QuotaResource(Weir weir) {
    this.weir = weir;
  }

  @GET
  public Response quota(@HeaderParam("X-Api-Key") @Nullable String key) {
    try {
      return Rules.of(weir)
          .flatMap(rules -> quota(rules, key))
          .map(quota -> Response.ok(quota.toJson()))
          .orElseGet(() -> error(Response.Status.NOT_FOUND, "no key, no quota"))
          .build();
    } catch (RulesUnavailableException away) {
      return error(Response.Status.SERVICE_UNAVAILABLE, "nobody can tell now").build();
    }
  }

  private static Optional<Quota> quota(Rules rules, @Nullable String key) {
    return Optional.ofNullable(key).map(rules::userIdOfKey).flatMap(rules.quotas()::find);
  }

  private static Response.ResponseBuilder error(Response.Status status, String why) {
    return Response.status(status).entity("{\"error\":\"" + why + "\"}");
  }
}
