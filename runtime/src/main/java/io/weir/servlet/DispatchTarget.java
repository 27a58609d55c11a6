package io.weir.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * The target of a request or dispatch: a servlet, the HTTP method and the path.
 *
 * <p>A dispatch by name doesn't change the request, so only a filter right before the servlet knows
 * its target. Safe for concurrent use once the path was read.
 */
final class DispatchTarget {
  private final String servlet;
  private final String httpMethod;
  private final HttpServletRequest request;

  /** Read once, since a container may dispatch the same request object again later. */
  private volatile @Nullable String path;

  /**
   * Makes a target whose path isn't read yet.
   *
   * @param servlet the servlet's name; empty if it isn't known
   * @param httpMethod as sent, or as other filters have changed it
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

  static DispatchTarget of(HttpServletRequest request) {
    @Nullable HttpServletMapping mapping = mapping(request);
    @Nullable String servlet = mapping == null ? null : mapping.getServletName();
    return new DispatchTarget(servlet == null ? "" : servlet, request.getMethod(), request);
  }

  /** Makes a target whose servlet is known otherwise. */
  static DispatchTarget of(String servlet, HttpServletRequest request) {
    return new DispatchTarget(servlet, request.getMethod(), request);
  }

  /** Returns whether another target is the same method of the same servlet. */
  boolean isSameMethod(DispatchTarget other) {
    return servlet.equals(other.servlet) && httpMethod.equals(other.httpMethod);
  }

  /** Returns whether another target is the same method of the same servlet, at the same path. */
  boolean isSame(DispatchTarget other) {
    return isSameMethod(other) && hasSamePath(other);
  }

  /** Compares the paths. Within one dispatch only another request object can have another one. */
  private boolean hasSamePath(DispatchTarget other) {
    return request == other.request || path().equals(other.path());
  }

  /** Returns whether another target is an error page's own, at the path that was read there. */
  boolean isSamePage(DispatchTarget other) {
    return isSameMethod(other) && path().equals(other.path());
  }

  /** Reads the mapping. During an include the request itself still has the including one. */
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

  /** Returns the URL pattern that the container matched; empty if it is unknown. */
  String mapping() {
    HttpServletMapping mapping = mapping(request);
    return mapping == null || mapping.getPattern() == null ? "" : mapping.getPattern();
  }

  /**
   * Returns whether the servlet is mapped to all paths, or to all that no other servlet has, and so
   * interprets them itself.
   */
  boolean isForAllPaths() {
    String mapping = mapping();
    return mapping.equals("/") || mapping.equals("/*");
  }

  /** Returns whether no servlet has the path, so that the default one answers, or a filter. */
  boolean isDefault() {
    return mapping().equals("/");
  }

  /** Returns the decoded path within the application, as the container matched it. */
  String path() {
    String known = path;
    if (known == null) {
      known = ServletRequestInfo.path(request);
      path = known;
    }
    return known;
  }
}
