package io.weir.jaxrs;

import io.weir.adapter.HeaderField;
import io.weir.adapter.Refusal;
import io.weir.internal.guard.GuardedRequest;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.function.Function;
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
  private final Optional<Function<GuardedRequest, Refusal>> within;

  private record ContentType(String text, MediaType type) {}

  private ProblemEntity(Refusal refusal, Optional<Function<GuardedRequest, Refusal>> within) {
    this.refusal = refusal;
    this.within = within;
  }

  static Response response(Refusal refusal) {
    return response(new ProblemEntity(refusal, Optional.empty()));
  }

  /**
   * Makes the response to the exception of a woven method.
   *
   * @param within makes the refusal if the exception was thrown within a request that has decisions
   *     of its own
   */
  static Response response(Refusal refusal, Function<GuardedRequest, Refusal> within) {
    return response(new ProblemEntity(refusal, Optional.of(within)));
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

  /** Returns the refusal within a request that has decisions of its own. */
  ProblemEntity within(GuardedRequest request) {
    return within.isEmpty()
        ? this
        : new ProblemEntity(within.get().apply(request), Optional.empty());
  }

  @Override
  public void write(OutputStream output) throws IOException {
    refusal.writeTo(output);
  }
}
