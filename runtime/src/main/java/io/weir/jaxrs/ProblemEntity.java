package io.weir.jaxrs;

import io.weir.internal.guard.GuardedRequest;
import io.weir.internal.http.HeaderField;
import io.weir.internal.http.Refusal;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.function.Function;
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
   * The response to what a woven method threw.
   *
   * @param within makes the refusal where it was thrown in a request that was charged itself
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

  /** The same for a request that was charged itself. */
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
