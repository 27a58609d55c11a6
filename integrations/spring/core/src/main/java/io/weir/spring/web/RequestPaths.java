package io.weir.spring.web;

import io.weir.adapter.RequestValues;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UrlPathHelper;

/** Reads the decoded path of a request within the application. */
final class RequestPaths {
  private RequestPaths() {}

  static String of(HttpServletRequest request) {
    if (request.getDispatcherType() == DispatcherType.INCLUDE
        && request.getAttribute(RequestDispatcher.INCLUDE_SERVLET_PATH) instanceof String path) {
      return join(path, (String) request.getAttribute(RequestDispatcher.INCLUDE_PATH_INFO));
    }
    return RequestValues.read(() -> join(request.getServletPath(), request.getPathInfo()))
        // Jetty gives no decoded path for an ambiguous URI.
        .or(() -> RequestValues.read(() -> new UrlPathHelper().getPathWithinApplication(request)))
        .orElse("/");
  }

  private static String join(@Nullable String servletPath, @Nullable String pathInfo) {
    return (servletPath == null ? "" : servletPath) + (pathInfo == null ? "" : pathInfo);
  }
}
