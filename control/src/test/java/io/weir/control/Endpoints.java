package io.weir.control;

import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.OpenTo;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Produces;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Lists all endpoints of the feature, so that tests miss none.
 *
 * <p>Looks through the compiled classes for those with a path.
 */
final class Endpoints {
  private Endpoints() {}

  /** A resource method. */
  record Endpoint(String verb, String template, Method method) {
    /** Returns its path with a value in the place of each variable. */
    String path(String value) {
      return template.replaceAll("\\{[^}]*}", value);
    }

    OpenTo opened() {
      return method.getAnnotation(OpenTo.class);
    }

    boolean hasDryRun() {
      return opened().dryRun().length > 0;
    }

    boolean isOpenToAnyone() {
      return List.of(opened().value()).contains(ControlRole.ANYONE);
    }

    boolean takesBody() {
      return method.isAnnotationPresent(Consumes.class);
    }

    String bodyType() {
      return method.getAnnotation(Consumes.class).value()[0];
    }

    boolean isStream() {
      Produces produces = method.getAnnotation(Produces.class);
      return produces != null && produces.value()[0].equals("text/event-stream");
    }

    @Override
    public String toString() {
      return verb + " " + template;
    }
  }

  static List<Endpoint> all() {
    List<Endpoint> all = new ArrayList<>();
    for (Class<?> resource : resources()) {
      for (Method method : resource.getMethods()) {
        verb(method)
            .ifPresent(verb -> all.add(new Endpoint(verb, template(resource, method), method)));
      }
    }
    return all;
  }

  static List<Class<?>> resources() {
    try {
      Path here =
          Path.of(ControlFeature.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (Files.isDirectory(here)) {
        return resources(here);
      }
      try (FileSystem jar = FileSystems.newFileSystem(here)) {
        return resources(jar.getPath("/"));
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (URISyntaxException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static List<Class<?>> resources(Path classes) throws IOException {
    try (Stream<Path> files = Files.walk(classes)) {
      return files
          .map(each -> classes.relativize(each).toString())
          .filter(each -> each.startsWith("io/weir/internal/control/"))
          .filter(each -> each.endsWith(".class") && !each.contains("package-info"))
          .<Class<?>>map(each -> load(each.substring(0, each.length() - 6).replace('/', '.')))
          .filter(each -> each.isAnnotationPresent(jakarta.ws.rs.Path.class))
          .sorted(Comparator.comparing(Class::getName))
          .toList();
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, Endpoints.class.getClassLoader());
    } catch (ClassNotFoundException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static Optional<String> verb(Method method) {
    for (Annotation each : method.getAnnotations()) {
      HttpMethod named = each.annotationType().getAnnotation(HttpMethod.class);
      if (named != null) {
        return Optional.of(named.value());
      }
    }
    return Optional.empty();
  }

  private static String template(Class<?> resource, Method method) {
    jakarta.ws.rs.Path own = method.getAnnotation(jakarta.ws.rs.Path.class);
    return resource.getAnnotation(jakarta.ws.rs.Path.class).value()
        + (own == null ? "" : own.value());
  }
}
