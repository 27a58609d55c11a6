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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Serves the OpenAPI document, which is made for its first reader: a start doesn't wait for it.
 *
 * <p>Safe for concurrent use.
 */
@Path("/v1/openapi.json")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class OpenApiResource {
  private final List<Class<?>> resources;

  /** Guarded by this. */
  private @Nullable Map<String, Object> document;

  private OpenApiResource(List<Class<?>> resources) {
    this.resources = resources;
  }

  /**
   * Makes the resource. A public constructor would have to take what Jersey can inject, and Jersey
   * warns of others.
   *
   * @param others the classes of all other resources
   * @return a resource that describes them and itself
   */
  public static OpenApiResource of(Collection<Class<?>> others) {
    return new OpenApiResource(
        Stream.concat(others.stream(), Stream.of(OpenApiResource.class)).toList());
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
    return JsonEntity.ok(document());
  }

  private synchronized Map<String, Object> document() {
    if (document == null) {
      document = OpenApiDocument.of(resources);
    }
    return document;
  }
}
