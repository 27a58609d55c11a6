package io.weir.servlet;

import io.weir.http.HeaderField;
import io.weir.http.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes to servlet responses, as long as they aren't on their way. */
final class Responses {
  private static final int DEEPEST_CAUSE = 16;

  private Responses() {}

  static void put(List<HeaderField> headers, HttpServletResponse response) {
    if (!response.isCommitted()) {
      headers.forEach(each -> response.setHeader(each.name(), each.value()));
    }
  }

  static void send(Refusal refusal, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (response.isCommitted()) {
      return;
    }
    response.resetBuffer();
    response.setStatus(refusal.status());
    put(refusal.headers(), response);
    response.setContentType(refusal.contentType());
    if (!request.getMethod().equals("HEAD")) {
      write(refusal, response);
    }
  }

  private static void write(Refusal refusal, HttpServletResponse response) throws IOException {
    byte[] body = refusal.bytes();
    try {
      response.getOutputStream().write(body);
      response.setContentLength(body.length);
    } catch (IllegalStateException writerTaken) {
      // Whoever is refused after getWriter() can't have the stream any more.
      response.getWriter().write(refusal.body());
    }
  }

  /** What was thrown and what the application has wrapped in it. */
  static Stream<Throwable> causes(Throwable thrown) {
    return Stream.<@Nullable Throwable>iterate(
            thrown, each -> each != null, each -> each == null ? null : each.getCause())
        .limit(DEEPEST_CAUSE)
        .flatMap(Stream::ofNullable);
  }
}
