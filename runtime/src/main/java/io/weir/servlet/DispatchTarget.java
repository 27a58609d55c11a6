package io.weir.servlet;

import io.weir.internal.http.UntrustedInput;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Where a request is led: to which servlet, by which HTTP method and path.
 *
 * <p>A dispatch by name leaves the request as it was, so that only who stands before the servlet
 * itself knows the target. Safe for concurrent use once the path was read.
 */
final class DispatchTarget {
  private final String servlet;
  private final String httpMethod;
  private final HttpServletRequest request;

  /** As it was read first: a container may lead the same request object elsewhere later. */
  private volatile @Nullable String path;

  /**
   * Knows no path yet.
   *
   * @param servlet the servlet's name; empty if it isn't known
   * @param httpMethod as sent, or as somebody in between has changed it
   * @param request tells the path
   */
  private DispatchTarget(String servlet, String httpMethod, HttpServletRequest request) {
    this.servlet = servlet;
    this.httpMethod = httpMethod;
    this.request = request;
  }

  String servlet() {
    return servlet;
  }

  String httpMethod() {
    return httpMethod;
  }

  /** Where the request says that it is led. */
  static DispatchTarget of(HttpServletRequest request) {
    @Nullable HttpServletMapping mapping = mapping(request);
    @Nullable String servlet = mapping == null ? null : mapping.getServletName();
    return new DispatchTarget(servlet == null ? "" : servlet, request.getMethod(), request);
  }

  /** To a servlet that is known not only by the request. */
  static DispatchTarget of(String servlet, HttpServletRequest request) {
    return new DispatchTarget(servlet, request.getMethod(), request);
  }

  /** Whether another one leads to the same method of the same servlet. */
  boolean leadsTo(DispatchTarget other) {
    return servlet.equals(other.servlet) && httpMethod.equals(other.httpMethod);
  }

  /** An include leaves the mapping of who includes in its place. */
  private static @Nullable HttpServletMapping mapping(HttpServletRequest request) {
    return isInclude(request)
            && request.getAttribute(RequestDispatcher.INCLUDE_MAPPING)
                instanceof HttpServletMapping included
        ? included
        : request.getHttpServletMapping();
  }

  private static boolean isInclude(HttpServletRequest request) {
    return request.getDispatcherType() == DispatcherType.INCLUDE;
  }

  /** The pattern by which the container matched it. */
  String mapping() {
    HttpServletMapping mapping = mapping(request);
    return mapping == null || mapping.getPattern() == null ? "" : mapping.getPattern();
  }

  /**
   * Whether the servlet answers all paths or the rest of them, and decides itself what they mean.
   */
  boolean isForAllPaths() {
    String mapping = mapping();
    return mapping.equals("/") || mapping.equals("/*");
  }

  /** The decoded path within the application, as the container matched it. */
  String path() {
    String known = path;
    if (known == null) {
      known = currentPath();
      path = known;
    }
    return known;
  }

  private String currentPath() {
    if (isInclude(request)
        && request.getAttribute(RequestDispatcher.INCLUDE_SERVLET_PATH) instanceof String path) {
      return join(path, (String) request.getAttribute(RequestDispatcher.INCLUDE_PATH_INFO));
    }
    return UntrustedInput.read(() -> join(request.getServletPath(), request.getPathInfo()))
        .or(() -> UntrustedInput.read(this::matched))
        .orElseGet(() -> RawUri.path(request.getRequestURI()));
  }

  private static String join(@Nullable String servletPath, @Nullable String pathInfo) {
    return (servletPath == null ? "" : servletPath) + (pathInfo == null ? "" : pathInfo);
  }

  /** Jetty tells no decoded path of an ambiguous URI, but what it matched. */
  private @Nullable String matched() {
    HttpServletMapping mapping = request.getHttpServletMapping();
    String pattern = mapping.getPattern();
    String value = mapping.getMatchValue();
    return switch (mapping.getMappingMatch()) {
      case EXACT -> "/" + value;
      case PATH -> pattern.substring(0, pattern.length() - 1) + value;
      case EXTENSION -> "/" + value + pattern.substring(1);
      case CONTEXT_ROOT, DEFAULT ->
          RawUri.path(request.getRequestURI())
              .substring(request.getServletContext().getContextPath().length());
    };
  }
}
