package io.weir.internal.control.http;

import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Distinguishes the feature's paths from the application's: all paths of its resources, and all
 * below them, are the feature's. Path parameters make no difference, as JAX-RS matches paths
 * without them. Immutable.
 */
public final class ControlPaths {
  private final List<String> roots;

  public ControlPaths(Collection<Class<?>> resources) {
    List<String> found = new ArrayList<>();
    for (Class<?> each : resources) {
      String path = trimmed(each.getAnnotation(Path.class).value());
      found.add(path.replaceFirst("/\\{.*", ""));
    }
    this.roots = List.copyOf(found);
  }

  public boolean include(String path) {
    String wanted = trimmed(withoutParameters(path));
    for (String root : roots) {
      if (wanted.startsWith(root)
          && (wanted.length() == root.length() || wanted.charAt(root.length()) == '/')) {
        return true;
      }
    }
    return false;
  }

  /** Removes path parameters, such as a {@code ;jsessionid=…} that a container has appended. */
  public static String withoutParameters(String path) {
    return path.indexOf(';') < 0 ? path : path.replaceAll(";[^/]*", "");
  }

  /** Begins a redirect to another path of the same host. */
  public static Response.ResponseBuilder redirect(UriInfo uri, UnaryOperator<String> target) {
    String path = target.apply(withoutParameters(uri.getRequestUri().getRawPath()));
    return Response.status(Response.Status.FOUND)
        // Two slashes at the beginning would name another host.
        .header(HttpHeaders.LOCATION, path.replaceFirst("^/+", "/"));
  }

  private static String trimmed(String path) {
    return path.startsWith("/") ? path.substring(1) : path;
  }
}
