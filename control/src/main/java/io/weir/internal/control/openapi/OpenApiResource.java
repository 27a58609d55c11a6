package io.weir.internal.control.openapi;

import io.weir.annotation.Unlimited;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Map;

/** Serves the OpenAPI document. Immutable. */
@Path("/v1/openapi.json")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class OpenApiResource {
  private final Map<String, Object> document;

  /**
   * Makes the resource.
   *
   * @param document as maps and lists
   */
  public OpenApiResource(Map<String, Object> document) {
    this.document = document;
  }

  /**
   * Returns the document.
   *
   * @return an OpenAPI 3.1 document
   */
  @GET
  @OpenTo({ControlRole.CHECK, ControlRole.VIEW, ControlRole.USER})
  @Operation(value = "Describe this API", answer = Object.class)
  public Response describe() {
    return JsonEntity.ok(document);
  }
}
