package io.weir.spring.web;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Marks a request that is dispatched to an error page. The page costs nothing, since it belongs to
 * the request that failed; what it forwards to or includes is decided. Containers report such
 * dispatches in different ways, Tomcat as another error page, so the page is recognized by its
 * path.
 *
 * <p>Confined to the thread of the dispatch.
 */
final class ErrorPage {
  private static final String ATTRIBUTE = ErrorPage.class.getName();

  private final String path;
  private final boolean isForward;
  private boolean reached;

  private ErrorPage(String path, boolean isForward, boolean reached) {
    this.path = path;
    this.isForward = isForward;
    this.reached = reached;
  }

  /**
   * Returns whether a dispatch is about to show an error page: not if one does already. In a
   * deployed archive, a filter of Spring Boot forwards to error pages.
   */
  static boolean isNext(HttpServletRequest request) {
    DispatcherType type = request.getDispatcherType();
    return (type == DispatcherType.ERROR
            || type == DispatcherType.FORWARD
                && request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) != null)
        && of(request) == null;
  }

  static @Nullable ErrorPage of(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof ErrorPage page ? page : null;
  }

  /**
   * Marks the request.
   *
   * @param isOfSpring whether a handler of Spring MVC is the page; if not, each handler is one that
   *     the page dispatches to
   */
  static ErrorPage open(HttpServletRequest request, boolean isOfSpring) {
    ErrorPage page =
        new ErrorPage(
            MvcRequestInfo.pathOf(request),
            request.getDispatcherType() == DispatcherType.FORWARD,
            !isOfSpring);
    request.setAttribute(ATTRIBUTE, page);
    return page;
  }

  /** Returns whether a handler is the page itself: the first one at its path. */
  boolean reaches(HttpServletRequest request) {
    if (reached || !path.equals(MvcRequestInfo.pathOf(request))) {
      return false;
    }
    reached = true;
    return true;
  }

  /**
   * Removes the mark, so that a later error has its own page. It stays while the page goes on in
   * another dispatch, and after a forward, since the request goes on to show its error.
   */
  void close(HttpServletRequest request) {
    reached = true;
    if (!isForward && !request.isAsyncStarted()) {
      request.removeAttribute(ATTRIBUTE);
    }
  }
}
