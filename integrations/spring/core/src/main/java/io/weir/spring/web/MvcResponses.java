package io.weir.spring.web;

import io.weir.adapter.HeaderField;
import io.weir.adapter.Refusal;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.Charset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.cors.DefaultCorsProcessor;

/** Writes header fields and refusals to responses that aren't committed yet. */
final class MvcResponses {
  private static final Logger LOG = System.getLogger("io.weir.spring.web");

  private MvcResponses() {}

  static void put(List<HeaderField> headers, HttpServletResponse response) {
    if (!response.isCommitted()) {
      for (int i = 0; i < headers.size(); i++) { // no iterator for each request
        HeaderField each = headers.get(i);
        response.setHeader(each.name(), each.value());
      }
    }
  }

  /**
   * Writes fields again that the application has removed by resetting the response. A reset removes
   * all fields, so only the last one is checked.
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
   * Lets a caller from another origin read the refusal, if it may read the response. Rules of the
   * application that fail, such as those that need the user, let nobody read it.
   */
  static void allowOrigin(
      @Nullable CorsConfigurationSource rules,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    if (rules == null) {
      return;
    }
    try {
      @Nullable CorsConfiguration rule = rules.getCorsConfiguration(request);
      if (rule != null && rule.checkOrigin(request.getHeader(HttpHeaders.ORIGIN)) != null) {
        new DefaultCorsProcessor().processRequest(forAnyMethod(rule), request, response);
      }
    } catch (RuntimeException failure) {
      LOG.log(Level.DEBUG, "the rules for other origins failed before the sign-in: {0}", failure);
    }
  }

  /**
   * Copies rules for a refusal, which an allowed origin may read whatever method it has tried. With
   * the rules themselves Spring would answer 403 in its place, without the fields that say why.
   */
  private static CorsConfiguration forAnyMethod(CorsConfiguration rule) {
    CorsConfiguration copy = new CorsConfiguration(rule);
    copy.setAllowedMethods(List.of(CorsConfiguration.ALL));
    return copy;
  }

  static void send(Refusal refusal, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (response.isCommitted()) {
      return;
    }
    resetBody(response);
    response.setStatus(refusal.status());
    put(refusal.headers(), response);
    response.setContentType(refusal.contentType());
    if (request.getMethod().equals("HEAD")) {
      response.setContentLength(refusal.length());
    } else {
      write(refusal, response);
    }
  }

  /**
   * Resets the body that the application wrote, and its encoding. Before Servlet 6.1 a single field
   * can't be removed, so all are removed and the others added again.
   */
  private static void resetBody(HttpServletResponse response) {
    if (!response.containsHeader(HttpHeaders.CONTENT_ENCODING)) {
      response.resetBuffer();
      return;
    }
    Map<String, List<String>> kept = new LinkedHashMap<>();
    for (String name : response.getHeaderNames()) {
      if (!name.equalsIgnoreCase(HttpHeaders.CONTENT_ENCODING)
          && !name.equalsIgnoreCase(HttpHeaders.CONTENT_LENGTH)) {
        kept.put(name, List.copyOf(response.getHeaders(name)));
      }
    }
    response.reset();
    kept.forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
  }

  private static void write(Refusal refusal, HttpServletResponse response) throws IOException {
    try {
      ServletOutputStream stream = response.getOutputStream();
      response.setContentLength(refusal.length());
      refusal.writeTo(stream);
    } catch (IllegalStateException writerTaken) {
      writeText(refusal, response);
    }
  }

  /** Writes to the writer: after getWriter() neither the stream nor the charset can be changed. */
  private static void writeText(Refusal refusal, HttpServletResponse response) throws IOException {
    Charset charset = Charset.forName(response.getCharacterEncoding());
    boolean encodable = charset.canEncode() && charset.newEncoder().canEncode(refusal.text());
    Refusal encoded = encodable ? refusal : refusal.inAscii();
    response.setContentType(encoded.contentType());
    response.setContentLength(encoded.text().getBytes(charset).length);
    response.getWriter().write(encoded.text());
  }
}
