package io.weir.example.jersey;

import io.weir.Weir;
import io.weir.rules.Rules;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.rules.quota.Quota;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes one permit of the caller's quota, and returns the state of the quota. */
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
          .orElseGet(() -> error(Response.Status.NOT_FOUND, "there is no quota for this X-Api-Key"))
          .build();
    } catch (RulesUnavailableException away) {
      return error(Response.Status.SERVICE_UNAVAILABLE, "the rules database can't be reached")
          .build();
    }
  }

  private static Optional<Quota> quota(Rules rules, @Nullable String key) {
    return Optional.ofNullable(key).map(rules::userIdOfKey).flatMap(rules.quotas()::find);
  }

  private static Response.ResponseBuilder error(Response.Status status, String message) {
    return Response.status(status).entity("{\"error\":\"" + message + "\"}");
  }
}
