package io.weir.jaxrs;

import io.weir.internal.http.HeaderField;
import io.weir.internal.http.Refusal;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The body of a refusal. Its type marks a response whose header fields are complete, also when the
 * refusal wasn't the endpoint's own.
 *
 * <p>Immutable.
 */
final class ProblemEntity implements StreamingOutput {
  /** The latest: most applications have one, and parsing it for each refusal costs. */
  private static volatile @Nullable ContentType latest;

  private final Refusal refusal;

  private record ContentType(String text, MediaType type) {}

  private ProblemEntity(Refusal refusal) {
    this.refusal = refusal;
  }

  static Response response(Refusal refusal) {
    Response.ResponseBuilder response =
        Response.status(status(refusal)).entity(new ProblemEntity(refusal));
    for (HeaderField field : refusal.headers()) {
      response.header(field.name(), field.value());
    }
    return response.type(type(refusal.contentType())).build();
  }

  /** By its number Jersey would look through a new array of all. */
  private static Response.StatusType status(Refusal refusal) {
    return switch (refusal.status()) {
      case 429 -> Response.Status.TOO_MANY_REQUESTS;
      case 503 -> Response.Status.SERVICE_UNAVAILABLE;
      default -> Response.Status.BAD_REQUEST;
    };
  }

  private static MediaType type(String text) {
    ContentType last = latest;
    if (last == null || !last.text.equals(text)) {
      last = new ContentType(text, MediaType.valueOf(text));
      latest = last;
    }
    return last.type;
  }

  Refusal refusal() {
    return refusal;
  }

  @Override
  public void write(OutputStream output) throws IOException {
    refusal.writeTo(output);
  }
}
