package io.weir.servlet;

import io.weir.internal.guard.GuardedEndpoint;
import io.weir.internal.guard.WeirRuntime;
import io.weir.internal.policy.EndpointKind;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The servlets of an application and the guards of their methods.
 *
 * <p>Safe for concurrent use.
 */
final class ServletEndpoints {
  private static final System.Logger LOG = System.getLogger(ServletEndpoints.class.getName());

  private static final List<String> RUNS_JAXRS =
      List.of(
          "org.glassfish.jersey.servlet.",
          "org.jboss.resteasy.plugins.server.servlet.",
          "org.apache.cxf.");

  private final WeirRuntime weir;
  private final ServletContext context;
  private final ServletClasses classes;
  private final ConcurrentMap<String, Optional<Class<?>>> types = new ConcurrentHashMap<>();
  private final ConcurrentMap<Name, Optional<Endpoint>> known = new ConcurrentHashMap<>();

  ServletEndpoints(WeirRuntime weir, ServletContext context, ServletClasses classes) {
    this.weir = weir;
    this.context = context;
    this.classes = classes;
  }

  /**
   * Validates the annotations of all registered servlets, and the default policy for those without.
   */
  void check() {
    List<Class<?>> types =
        context.getServletRegistrations().values().stream()
            .<Class<?>>flatMap(each -> type(each).stream())
            .distinct()
            .toList();
    weir.check(types, EndpointKind.SERVLET);
    for (Class<?> type : types) {
      ServletMethods.alike().forEach(httpMethod -> endpoint(type, httpMethod));
    }
  }

  /**
   * Finds the guard of a target: by the servlet that will answer, and by the URL patterns that
   * match.
   */
  Endpoint of(DispatchTarget target) {
    GuardedEndpoint path = weir.endpoint(target::path);
    return known(name(target))
        .map(servlet -> servlet.and(path))
        .orElseGet(() -> new Endpoint(path, Optional.empty()));
  }

  /** Keyed by names that the application chose and a fixed set of methods: bounded. */
  private Optional<Endpoint> known(Name name) {
    Optional<Endpoint> found = known.get(name);
    return found != null ? found : known.computeIfAbsent(name, this::find);
  }

  private static Name name(DispatchTarget target) {
    String method = target.httpMethod();
    return new Name(target.servlet(), ServletMethods.isKnown(method) ? method : "");
  }

  private Optional<Endpoint> find(Name name) {
    return Optional.ofNullable(context.getServletRegistration(name.servlet()))
        .flatMap(this::type)
        .map(type -> endpoint(type, name.httpMethod()));
  }

  private Endpoint endpoint(Class<?> type, String httpMethod) {
    Optional<Method> method = ServletMethods.answering(type, httpMethod);
    GuardedEndpoint guard =
        method
            .map(each -> weir.endpoint(type, each, EndpointKind.SERVLET))
            .orElseGet(() -> weir.endpoint(type, EndpointKind.SERVLET));
    return new Endpoint(guard, method);
  }

  /**
   * Nothing for a JSP, for a class that can't be found, and for a servlet that runs JAX-RS: its
   * resources are limited by the feature.
   */
  private Optional<Class<?>> type(ServletRegistration servlet) {
    @Nullable String name = servlet.getClassName();
    if (name == null || RUNS_JAXRS.stream().anyMatch(name::startsWith)) {
      return Optional.empty();
    }
    return types.computeIfAbsent(name, any -> seen(servlet.getName(), name));
  }

  private Optional<Class<?>> seen(String servlet, String name) {
    try {
      return Optional.of(classes.find(name));
    } catch (ClassNotFoundException unseen) {
      LOG.log(
          System.Logger.Level.WARNING,
          "The servlet "
              + servlet
              + " is limited by URL only, whatever its annotations say: its class "
              + name
              + " can't be found by the loaders of the application. Set the parent class loader of"
              + " the container's context, or the thread's when the filter is made",
          unseen);
      return Optional.empty();
    }
  }

  /** The names of all servlets that are limited whatever path leads to them. */
  Set<String> limited() {
    Set<String> names = new TreeSet<>();
    for (String servlet : context.getServletRegistrations().keySet()) {
      for (String httpMethod : ServletMethods.alike()) {
        known(new Name(servlet, httpMethod))
            .filter(each -> !each.guard().isEmpty())
            .ifPresent(any -> names.add(servlet));
      }
    }
    return names;
  }

  /** A servlet and an HTTP method; an empty text for what isn't known. */
  private record Name(String servlet, String httpMethod) {}

  /** What guards an endpoint, and the method whose policies it has. */
  record Endpoint(GuardedEndpoint guard, Optional<Method> method) {
    /** Whether the servlet answers HEAD by code of its own, not by that for GET. */
    boolean answersHead() {
      return method.filter(each -> each.getName().equals("doHead")).isPresent();
    }

    private Endpoint and(GuardedEndpoint path) {
      return path.isEmpty() ? this : new Endpoint(guard.and(path), method);
    }
  }
}
