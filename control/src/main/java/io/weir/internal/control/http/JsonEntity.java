package io.weir.internal.control.http;

import io.weir.internal.control.json.Json;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer as bytes. A type of its own, so that no provider of the application writes
 * it.
 *
 * <p>Immutable: the bytes never leave the package.
 */
public final class JsonEntity {
  private static final MediaType JSON = MediaType.APPLICATION_JSON_TYPE.withCharset("UTF-8");

  private final byte[] utf8;

  private JsonEntity(byte[] utf8) {
    this.utf8 = utf8;
  }

  /**
   * The answer that all is well.
   *
   * @param value what is told
   * @return 200
   */
  public static Response ok(Object value) {
    return response(Response.Status.OK, value, JSON).build();
  }

  /**
   * Begins an answer of JSON.
   *
   * @param status its status
   * @param value what is told
   * @return to be completed by header fields
   */
  public static Response.ResponseBuilder json(int status, Object value) {
    return response(status(status), value, JSON);
  }

  static Response.ResponseBuilder response(
      Response.StatusType status, Object value, MediaType type) {
    return Response.status(status).entity(new JsonEntity(Json.bytes(value))).type(type);
  }

  /** The status of a number, also of those that JAX-RS has no name for. */
  static Response.StatusType status(int number) {
    Response.@Nullable Status known = Response.Status.fromStatusCode(number);
    return known != null ? known : new UnknownStatus(number);
  }

  byte[] utf8() {
    return utf8;
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
