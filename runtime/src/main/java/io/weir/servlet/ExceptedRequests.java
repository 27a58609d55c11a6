package io.weir.servlet;

import io.weir.adapter.RequestValues;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the requests that an exception in the settings may leave out, for adapters of frameworks
 * that run on servlets: their {@code RequestInfo} returns it.
 *
 * <p>Safe for concurrent use, as far as the request is.
 */
public final class ExceptedRequests {
  private ExceptedRequests() {}

  /**
   * Returns whether a request may be left out: it carries no credential, and its path was sent as
   * the container has matched it. Else a front controller that reads the path as it was sent might
   * find another handler than the path names.
   *
   * @param request the request as the adapter gets it
   * @param path the decoded path within the application, as the container has matched it
   * @return false as well if the request can't be read
   */
  public static boolean contain(HttpServletRequest request, String path) {
    return RequestValues.read(
            () ->
                isPlain(request, path)
                    && RequestValues.mayBeLeftOut(headerNames(request), request.getQueryString()))
        .orElse(false);
  }

  private static boolean isPlain(HttpServletRequest request, String path) {
    String sent = request.getRequestURI();
    String context = request.getContextPath();
    if (request.getDispatcherType() == DispatcherType.INCLUDE
        && request.getAttribute(RequestDispatcher.INCLUDE_REQUEST_URI) instanceof String included) {
      sent = included;
      context = (String) request.getAttribute(RequestDispatcher.INCLUDE_CONTEXT_PATH);
    }
    return sent.startsWith(context)
        && RequestValues.isPlain(sent.substring(context.length()), path);
  }

  /**
   * Lists the names of all header fields.
   *
   * @param request the request as the adapter gets it
   * @return none if the container tells none
   */
  public static List<String> headerNames(HttpServletRequest request) {
    @Nullable Enumeration<String> names = request.getHeaderNames();
    return names == null ? List.of() : Collections.list(names);
  }
}
