package io.weir.internal.control.openapi;

import io.weir.annotation.Unlimited;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.json.Json;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * Serves the OpenAPI document: the file {@code openapi.json} beside this class, which a test holds
 * to the annotations of the resources.
 *
 * <p>Safe for concurrent use.
 */
@Path("/v1/openapi.json")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class OpenApiResource {
  private static final String FILE = "openapi.json";

  public OpenApiResource() {}

  @GET
  @OpenTo({ControlRole.CHECK, ControlRole.VIEW, ControlRole.USER})
  @Operation(value = "Describe this API", answer = Object.class, needsDatabase = false)
  public Response describe() {
    return JsonEntity.ok(Loaded.DOCUMENT);
  }

  /** Reads the file for its first reader: a start doesn't wait for it. */
  private static final class Loaded {
    static final Object DOCUMENT = load();

    private static Object load() {
      try (InputStream in = OpenApiResource.class.getResourceAsStream(FILE)) {
        if (in == null) {
          throw new IllegalStateException(FILE + " is missing beside " + OpenApiResource.class);
        }
        return Json.parse(in.readAllBytes());
      } catch (IOException unreadable) {
        throw new UncheckedIOException(unreadable);
      }
    }
  }
}
