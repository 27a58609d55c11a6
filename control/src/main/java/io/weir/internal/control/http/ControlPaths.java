package io.weir.internal.control.http;

import jakarta.ws.rs.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Distinguishes the feature's paths from the application's: all paths of its resources, and all
 * below them, are the feature's. Immutable.
 */
public final class ControlPaths {
  private final List<String> roots;

  /**
   * Collects the paths of resources.
   *
   * @param resources classes with a {@code @Path}
   */
  public ControlPaths(Collection<Class<?>> resources) {
    List<String> found = new ArrayList<>();
    for (Class<?> each : resources) {
      String path = trimmed(each.getAnnotation(Path.class).value());
      found.add(path.replaceFirst("/\\{.*", ""));
    }
    this.roots = List.copyOf(found);
  }

  /**
   * Returns whether a path is the feature's.
   *
   * @param path below the application's path
   * @return true if it is the path of a resource, or below one
   */
  public boolean include(String path) {
    String wanted = trimmed(path);
    for (String root : roots) {
      if (wanted.startsWith(root)
          && (wanted.length() == root.length() || wanted.charAt(root.length()) == '/')) {
        return true;
      }
    }
    return false;
  }

  private static String trimmed(String path) {
    return path.startsWith("/") ? path.substring(1) : path;
  }
}
