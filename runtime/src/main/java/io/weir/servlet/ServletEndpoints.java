package io.weir.servlet;

import io.weir.internal.guard.GuardedEndpoint;
import io.weir.internal.guard.WeirRuntime;
import io.weir.internal.policy.EndpointKind;
import io.weir.spi.DecisionPhase;
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
  private final ServletClassFinder classes;
  private final ConcurrentMap<String, Optional<Class<?>>> types = new ConcurrentHashMap<>();
  private final Endpoint jaxrs;
  private final Endpoint withoutClass;

  /** By servlet, and then by HTTP method, so that nothing is made to look one up. */
  private final ConcurrentMap<String, ConcurrentMap<String, Endpoint>> known =
      new ConcurrentHashMap<>();

  ServletEndpoints(WeirRuntime weir, ServletContext context, ServletClassFinder classes) {
    this.weir = weir;
    this.context = context;
    this.classes = classes;
    this.jaxrs = new Endpoint(weir.unlimited(), Optional.empty(), true);
    this.withoutClass = new Endpoint(weir.withoutClass(), Optional.empty(), false);
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
      ServletMethodFinder.alike().forEach(httpMethod -> bind(type, httpMethod));
    }
  }

  private void bind(Class<?> type, String httpMethod) {
    Optional<Method> method = ServletMethodFinder.answering(type, httpMethod);
    if (method.isPresent()) {
      weir.endpoint(type, method.get(), EndpointKind.SERVLET);
    } else {
      weir.endpoint(type, EndpointKind.SERVLET);
    }
  }

  /**
   * Finds the guard of a target: by the servlet that will answer, and by the URL patterns that
   * match.
   */
  Endpoint of(DispatchTarget target) {
    String method = target.httpMethod();
    Endpoint servlet = known(target.servlet(), ServletMethodFinder.isKnown(method) ? method : "");
    if (!weir.limitsPaths()) {
      return servlet;
    }
    boolean ignoresSlash = servlet.runsJaxrs() || target.isForAllPaths();
    return servlet.and(weir.endpoint(target.path(), ignoresSlash));
  }

  /** Keyed by names that the application chose and a fixed set of methods: bounded. */
  private Endpoint known(String servlet, String httpMethod) {
    ConcurrentMap<String, Endpoint> methods = known.get(servlet);
    Endpoint found = methods == null ? null : methods.get(httpMethod);
    return found != null
        ? found
        : known
            .computeIfAbsent(servlet, any -> new ConcurrentHashMap<>())
            .computeIfAbsent(httpMethod, any -> find(servlet, httpMethod));
  }

  private Endpoint find(String servlet, String httpMethod) {
    ServletRegistration registered = context.getServletRegistration(servlet);
    if (registered == null) {
      return withoutClass;
    }
    return type(registered)
        .map(type -> endpoint(type, httpMethod))
        .orElse(runsJaxrs(registered) ? jaxrs : withoutClass);
  }

  private Endpoint endpoint(Class<?> type, String httpMethod) {
    Optional<Method> method = ServletMethodFinder.answering(type, httpMethod);
    return new Endpoint(weir.endpointAtRequest(type, method, EndpointKind.SERVLET), method, false);
  }

  /**
   * Nothing for a JSP, for a class that can't be found, and for a servlet that runs JAX-RS: its
   * resources are limited by the feature.
   */
  private Optional<Class<?>> type(ServletRegistration servlet) {
    @Nullable String name = servlet.getClassName();
    if (name == null || runsJaxrs(servlet)) {
      return Optional.empty();
    }
    return types.computeIfAbsent(name, any -> seen(servlet.getName(), name));
  }

  static boolean runsJaxrs(ServletRegistration servlet) {
    @Nullable String name = servlet.getClassName();
    return name != null && RUNS_JAXRS.stream().anyMatch(name::startsWith);
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
      for (String httpMethod : ServletMethodFinder.alike()) {
        if (!known(servlet, httpMethod).guard().isEmpty()) {
          names.add(servlet);
        }
      }
    }
    return names;
  }

  /**
   * Holds what guards an endpoint, and the method whose policies it has.
   *
   * @param runsJaxrs whether it leads on to resources, which the feature limits
   */
  record Endpoint(GuardedEndpoint guard, Optional<Method> method, boolean runsJaxrs) {
    /** Whether anything is left to decide right before the servlet, behind the sign-in. */
    boolean isLeft() {
      DecisionPhase phase = DecisionPhase.AFTER_AUTHENTICATION;
      return runsJaxrs ? guard.isBound(phase) : guard.decides(phase);
    }

    /** Whether the servlet answers HEAD by code of its own, not by that for GET. */
    boolean answersHead() {
      return method.filter(each -> each.getName().equals("doHead")).isPresent();
    }

    private Endpoint and(GuardedEndpoint path) {
      return path.isEmpty() ? this : new Endpoint(guard.and(path), method, runsJaxrs);
    }
  }
}
