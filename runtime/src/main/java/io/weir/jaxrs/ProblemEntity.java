package io.weir.jaxrs;

import io.weir.adapter.HeaderField;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.Refusal;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes the body of a refusal. A response with an entity of this type has complete header fields,
 * also if the refusal isn't the endpoint's own.
 *
 * <p>Immutable.
 */
final class ProblemEntity implements StreamingOutput {
  /** The latest media type: most applications have just one, and parsing is slow. */
  private static volatile @Nullable ContentType latest;

  private final Refusal refusal;
  private final Optional<Throwable> thrown;

  private record ContentType(String text, MediaType type) {}

  private ProblemEntity(Refusal refusal, Optional<Throwable> thrown) {
    this.refusal = refusal;
    this.thrown = thrown;
  }

  static Response response(Refusal refusal) {
    return response(new ProblemEntity(refusal, Optional.empty()));
  }

  /**
   * Makes the response to the exception of a woven method.
   *
   * @param refusal the response outside of a request
   * @param thrown the exception, from which a request makes its own response
   */
  static Response response(Refusal refusal, Throwable thrown) {
    return response(new ProblemEntity(refusal, Optional.of(thrown)));
  }

  private static Response response(ProblemEntity entity) {
    Refusal refusal = entity.refusal;
    Response.ResponseBuilder response = Response.status(status(refusal)).entity(entity);
    for (HeaderField field : refusal.headers()) {
      response.header(field.name(), field.value());
    }
    return response.type(type(refusal.contentType())).build();
  }

  /** Maps the status, since Jersey's own lookup by number is slow. */
  private static Response.StatusType status(Refusal refusal) {
    return switch (refusal.status()) {
      case 429 -> Response.Status.TOO_MANY_REQUESTS;
      case 503 -> Response.Status.SERVICE_UNAVAILABLE;
      case 403 -> Response.Status.FORBIDDEN;
      case 413 -> Response.Status.REQUEST_ENTITY_TOO_LARGE;
      case 408 -> Response.Status.REQUEST_TIMEOUT;
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

  /** Returns the refusal within a request, which may have decisions of its own. */
  ProblemEntity within(LimitedRequest request) {
    return thrown
        .flatMap(request::refusalIn)
        .map(own -> new ProblemEntity(own, Optional.empty()))
        .orElse(this);
  }

  @Override
  public void write(OutputStream output) throws IOException {
    refusal.writeTo(output);
  }
}
