package io.weir.internal.control.http;

import io.weir.internal.control.json.Json;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The JSON body of a response. A type of its own, so that no provider of the application writes it.
 *
 * <p>Immutable.
 */
public final class JsonEntity extends WrittenEntity {
  private static final MediaType JSON = MediaType.APPLICATION_JSON_TYPE.withCharset("UTF-8");

  private final byte[] utf8;

  private JsonEntity(byte[] utf8) {
    this.utf8 = utf8;
  }

  public static Response ok(Object value) {
    return response(Response.Status.OK, value, JSON).build();
  }

  public static Response.ResponseBuilder json(int status, Object value) {
    return response(status(status), value, JSON);
  }

  static Response.ResponseBuilder response(
      Response.StatusType status, Object value, MediaType type) {
    return Response.status(status).entity(new JsonEntity(Json.bytes(value))).type(type);
  }

  /** Returns a status by its number, even if JAX-RS has no name for it. */
  static Response.StatusType status(int number) {
    Response.@Nullable Status known = Response.Status.fromStatusCode(number);
    return known != null ? known : new UnknownStatus(number);
  }

  @Override
  protected void write(MultivaluedMap<String, Object> headers, OutputStream out)
      throws IOException {
    out.write(utf8);
  }

  private record UnknownStatus(int number) implements Response.StatusType {
    @Override
    public int getStatusCode() {
      return number;
    }

    @Override
    public Response.Status.Family getFamily() {
      return Response.Status.Family.familyOf(number);
    }

    @Override
    public String getReasonPhrase() {
      return "";
    }
  }
}
