package io.weir.servlet;

import io.weir.adapter.HeaderField;
import io.weir.adapter.Refusal;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes header fields and refusals to servlet responses that aren't committed yet.
 *
 * <p>Safe for concurrent use, as far as the response is.
 */
public final class ServletResponseWriter {
  private static final String ENCODING = "Content-Encoding";
  private static final String LENGTH = "Content-Length";

  private ServletResponseWriter() {}

  static void put(List<HeaderField> headers, HttpServletResponse response) {
    if (!response.isCommitted()) {
      for (int i = 0; i < headers.size(); i++) { // no iterator for each request
        HeaderField each = headers.get(i);
        response.setHeader(each.name(), each.value());
      }
    }
  }

  /** Returns whether a response has all these fields. */
  static boolean has(List<HeaderField> headers, HttpServletResponse response) {
    for (HeaderField each : headers) {
      if (!each.value().equals(response.getHeader(each.name()))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Writes fields again that the application has removed by resetting the response. A reset removes
   * all fields, so only the last one is checked: checking all would double the cost of a request.
   *
   * @param same whether the response had just these fields before; if not, all are checked
   */
  static void restore(List<HeaderField> headers, boolean same, HttpServletResponse response) {
    if (headers.isEmpty() || response.isCommitted()) {
      return;
    }
    for (int i = same ? headers.size() - 1 : 0; i < headers.size(); i++) {
      HeaderField each = headers.get(i);
      if (!each.value().equals(response.getHeader(each.name()))) {
        put(headers, response);
        return;
      }
    }
  }

  /**
   * Sends a refusal in place of the response, without what the application has written of its body.
   *
   * @param refusal the response
   * @param request a HEAD request gets no body
   * @param response nothing happens if it is committed
   * @throws IOException if the container can't write it
   */
  public static void send(Refusal refusal, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (response.isCommitted()) {
      return;
    }
    boolean hasLength = response.containsHeader(LENGTH);
    resetBody(response);
    response.setStatus(refusal.status());
    put(refusal.headers(), response);
    response.setContentType(refusal.contentType());
    if (request.getMethod().equals("HEAD")) {
      response.setContentLength(refusal.length());
    } else {
      write(refusal, response, hasLength);
    }
  }

  /**
   * Resets the body that the application wrote, and its encoding. Before Servlet 6.1 a single field
   * can't be removed, so all are removed and the others added again.
   */
  private static void resetBody(HttpServletResponse response) {
    if (!response.containsHeader(ENCODING)) {
      response.resetBuffer();
      return;
    }
    Map<String, List<String>> kept = new LinkedHashMap<>();
    for (String name : response.getHeaderNames()) {
      if (!name.equalsIgnoreCase(ENCODING) && !name.equalsIgnoreCase(LENGTH)) {
        kept.put(name, List.copyOf(response.getHeaders(name)));
      }
    }
    response.reset();
    kept.forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
  }

  /**
   * Writes a body whose length the container announces at the end. With a length of ours it could
   * commit the response with the last byte, before it finds that the body of the request hasn't
   * arrived to its end: Jetty would then close the connection without saying so.
   *
   * @param hasLength whether the application has announced a length of its own, which is replaced
   */
  private static void write(Refusal refusal, HttpServletResponse response, boolean hasLength)
      throws IOException {
    try {
      ServletOutputStream stream = response.getOutputStream();
      if (hasLength) {
        response.setContentLength(refusal.length());
      }
      refusal.writeTo(stream);
    } catch (IllegalStateException writerTaken) {
      writeText(refusal, response, hasLength);
    }
  }

  /** Writes to the writer: after getWriter() neither the stream nor the charset can be changed. */
  private static void writeText(Refusal refusal, HttpServletResponse response, boolean hasLength)
      throws IOException {
    Charset charset = Charset.forName(response.getCharacterEncoding());
    boolean encodable = charset.canEncode() && charset.newEncoder().canEncode(refusal.text());
    Refusal encoded = encodable ? refusal : refusal.inAscii();
    response.setContentType(encoded.contentType());
    if (hasLength) {
      response.setContentLength(encoded.text().getBytes(charset).length);
    }
    response.getWriter().write(encoded.text());
  }
}
