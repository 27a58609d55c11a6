package io.weir.internal.container;

import java.util.Optional;

/**
 * Names the attribute in which the servlet filter leaves the path that it has decided by URL, for
 * JAX-RS: its filters before matching may rewrite the path. It begins with that of the application.
 *
 * @param application the path of the application
 * @param path the decoded path within it
 * @param servlet the servlet that the request is right before; empty if that isn't known, or if the
 *     feature behind it is known already
 * @param undecided whether the policies of the path are left for JAX-RS to decide: the request is a
 *     CORS preflight
 */
public record ReceivedPath(
    String application, String path, Optional<JaxrsServlet> servlet, boolean undecided) {
  public static final String ATTRIBUTE = ReceivedPath.class.getName();
}
