package io.weir.internal.container;

/**
 * Names the attribute in which the servlet filter leaves the path that it has decided by URL, for
 * JAX-RS: its filters before matching may rewrite the path. It begins with that of the application.
 *
 * @param application the path of the application
 * @param path the decoded path within it
 */
public record ReceivedPath(String application, String path) {
  /** The name of the attribute. */
  public static final String ATTRIBUTE = ReceivedPath.class.getName();
}
