package io.weir.internal.control.rest;

import io.weir.Decision;
import io.weir.InvalidRequestException;
import io.weir.Reason;
import io.weir.adapter.HeaderField;
import io.weir.adapter.Refusal;
import io.weir.annotation.Unlimited;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.http.RefusalEntity;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides for gateways that send a sub-request: Traefik, Caddy, nginx.
 *
 * <p>Safe for concurrent use.
 */
@Path("/v1/ratelimit/forward")
@Unlimited
public final class ForwardResource {
  private static final int FORBIDDEN = 403;

  /** Distinguishes a denied caller where all refusals are a 403. */
  private static final String DENIED = "X-Weir-Denied";

  private final WeirRuntime weir;

  public ForwardResource(WeirRuntime weir) {
    this.weir = weir;
  }

  @GET
  @OpenTo(ControlRole.CHECK)
  @Operation(
      value =
          "Decide the request that the X-Forwarded- or X-Original- headers of a gateway describe",
      errors = 429,
      status = 200)
  public Response forward(
      @Context HttpHeaders sent,
      @QueryParam("deny")
          @Described("The status of a refusal: 403, for gateways that don't support 429")
          @Nullable String deny) {
    if (deny != null && !deny.equals("403")) {
      throw new InvalidFieldException("deny", "must be 403");
    }
    try {
      return decide(sent, deny != null);
    } catch (InvalidFieldException | InvalidRequestException wrong) {
      if (deny == null) {
        throw wrong;
      }
      return Problem.of(FORBIDDEN, String.valueOf(wrong.getMessage())).response();
    }
  }

  private Response decide(HttpHeaders sent, boolean isForbidden) {
    Optional<Decision> decided =
        DecisionAwaiter.await(
                weir.checker()
                    .check(GatewayRequest.of(sent, weir::setting, weir.checker()::address)))
            .decision();
    if (decided.isEmpty() || decided.get().admitted()) {
      Response.ResponseBuilder admitted = Response.ok();
      if (decided.isPresent()) {
        for (HeaderField field : weir.fields().of(decided.get())) {
          admitted.header(field.name(), field.value());
        }
      }
      return admitted.build();
    }
    Refusal refusal = weir.refusals().of(decided.get(), name -> values(sent, name));
    Response response = RefusalEntity.response(refusal, isForbidden ? FORBIDDEN : refusal.status());
    return decided.get().reason() == Reason.DENIED
        ? Response.fromResponse(response).header(DENIED, true).build()
        : response;
  }

  private static List<String> values(HttpHeaders sent, String name) {
    List<String> lines = sent.getRequestHeaders().get(name);
    return lines == null ? List.of() : lines;
  }
}
