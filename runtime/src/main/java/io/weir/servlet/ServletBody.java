package io.weir.servlet;

import io.weir.adapter.BodyReader;
import io.weir.adapter.ReadBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the bodies of servlet requests for policies, also where a filter has read a form before.
 */
final class ServletBody {
  private ServletBody() {}

  /**
   * Reads a body. Blocks within the bounds of the reader.
   *
   * @throws IOException if the connection fails
   */
  static ReadBody read(HttpServletRequest request, BodyReader reader) throws IOException {
    Optional<ReplayedRequest> passed = ReplayedRequest.unreadIn(request);
    if (passed.isEmpty()) {
      return readStream(request, reader);
    }
    ReadBody body = readStream(passed.get().request(), reader);
    passed.get().show(body);
    return body;
  }

  /**
   * Reads the body of a request that was passed on, so that code behind the adapter finds only what
   * the container keeps: the fields of a form.
   *
   * @throws IOException if the connection fails
   */
  static ReadBody readPassed(HttpServletRequest request, BodyReader reader) throws IOException {
    return ReplayedRequest.unreadIn(request).isPresent()
        ? read(request, reader)
        : taken(request, reader);
  }

  private static ReadBody readStream(HttpServletRequest request, BodyReader reader)
      throws IOException {
    if (reader.admitsUnreadable() && onlyContainerCanShow(request)) {
      return reader.untouched();
    }
    ReadBody body;
    try {
      body =
          reader.read(request::getInputStream, Optional.ofNullable(request.getCharacterEncoding()));
    } catch (IllegalStateException readerTaken) {
      return taken(request, reader);
    }
    boolean wasTaken = body.isWhole() && body.bytes().length == 0 && mayHaveBody(request);
    return wasTaken ? taken(request, reader) : body;
  }

  /**
   * Returns whether the application could miss parameters or parts if the body were read here,
   * since it may be malformed, or too long to be kept.
   */
  private static boolean onlyContainerCanShow(HttpServletRequest request) {
    return isMultipart(request)
        || isForm(request)
            && (request.getContentLengthLong() < 0
                || request.getHeader("Content-Encoding") != null);
  }

  private static boolean isForm(HttpServletRequest request) {
    return hasType(request, "application/x-www-form-urlencoded");
  }

  private static boolean isMultipart(HttpServletRequest request) {
    return hasType(request, "multipart/form-data");
  }

  private static boolean hasType(HttpServletRequest request, String wanted) {
    String type = request.getContentType();
    return type != null && type.regionMatches(true, 0, wanted, 0, wanted.length());
  }

  /** A request of HTTP/2 needn't announce its body. */
  private static boolean mayHaveBody(HttpServletRequest request) {
    long length = request.getContentLengthLong();
    return length > 0
        || request.getHeader("Transfer-Encoding") != null
        || length < 0 && (isForm(request) || isMultipart(request));
  }

  /** Asks the container for the parameters that a filter has had it read. */
  private static ReadBody taken(HttpServletRequest request, BodyReader reader) {
    if (!isForm(request) && !isMultipart(request)) {
      return reader.taken();
    }
    Map<String, List<String>> parameters = new HashMap<>();
    try {
      request.getParameterMap().forEach((name, values) -> parameters.put(name, List.of(values)));
    } catch (RuntimeException malformed) { // each container throws its own
      return reader.taken();
    }
    return reader.ofParameters(parameters);
  }
}
