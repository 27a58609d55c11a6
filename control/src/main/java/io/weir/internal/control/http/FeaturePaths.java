package io.weir.internal.control.http;

import jakarta.ws.rs.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Which paths are those of the feature: all below the paths of its resources, and none of the
 * application's. Immutable.
 */
public final class FeaturePaths {
  private final List<String> roots;

  /**
   * The paths of resources.
   *
   * @param resources each has a path
   */
  public FeaturePaths(Collection<Class<?>> resources) {
    List<String> found = new ArrayList<>();
    for (Class<?> each : resources) {
      found.add(trimmed(each.getAnnotation(Path.class).value()));
    }
    this.roots = List.copyOf(found);
  }

  /**
   * Whether a request is the feature's to answer.
   *
   * @param path the path below the application's
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
