package io.weir.servlet;

import io.weir.adapter.Adapter;
import io.weir.adapter.EndpointType;
import io.weir.adapter.LimitedEndpoint;
import io.weir.spi.DecisionPhase;
import jakarta.servlet.Registration;
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
 * The endpoints of an application's servlets: for each servlet and HTTP method, the policies that
 * limit it.
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

  /** Weir's own API: a rule must not lock out the callers that could change it. */
  private static final String CONTROL = "io.weir.control.ControlServlet";

  private final Adapter adapter;
  private final ServletContext context;
  private final ServletClassLoaders classes;
  private final ConcurrentMap<String, Optional<Class<?>>> types = new ConcurrentHashMap<>();
  private final Endpoint jaxrs;
  private final Endpoint withoutClass;
  private final Endpoint control;

  /** By servlet, then by HTTP method, so that a lookup allocates nothing. */
  private final ConcurrentMap<String, ConcurrentMap<String, Endpoint>> known =
      new ConcurrentHashMap<>();

  ServletEndpoints(Adapter adapter, ServletContext context, ServletClassLoaders classes) {
    this.adapter = adapter;
    this.context = context;
    this.classes = classes;
    this.jaxrs = new Endpoint(adapter.unlimited(), Optional.empty(), Kind.JAXRS);
    this.withoutClass = new Endpoint(adapter.withoutClass(), Optional.empty(), Kind.UNKNOWN);
    this.control = new Endpoint(adapter.unlimited(), Optional.empty(), Kind.CONTROL);
  }

  /**
   * Validates the annotations of all registered servlets, and the default policy for servlets
   * without any.
   */
  void check() {
    List<Class<?>> types =
        servlets().stream().<Class<?>>flatMap(each -> type(each).stream()).distinct().toList();
    adapter.check(types, EndpointType.SERVLET);
    for (Class<?> type : types) {
      ServletMethodFinder.httpMethods().forEach(httpMethod -> bind(type, httpMethod));
    }
  }

  private void bind(Class<?> type, String httpMethod) {
    endpoint(type, answering(type, httpMethod));
  }

  private Optional<Method> answering(Class<?> type, String httpMethod) {
    return ServletMethodFinder.answering(type, httpMethod, adapter::isAnnotated);
  }

  private LimitedEndpoint endpoint(Class<?> type, Optional<Method> method) {
    return method.isPresent()
        ? adapter.endpoint(type, method.get(), EndpointType.SERVLET)
        : adapter.endpoint(type, EndpointType.SERVLET);
  }

  /**
   * Finds the endpoint of a target: the policies of its servlet and of the URL patterns that match
   * its path.
   */
  Endpoint of(DispatchTarget target) {
    String method = target.httpMethod();
    Endpoint servlet = known(target.servlet(), ServletMethodFinder.isKnown(method) ? method : "");
    if (!adapter.limitsPaths() || servlet.isControl()) {
      return servlet;
    }
    boolean ignoresSlash = servlet.runsJaxrs() || target.isForAllPaths();
    return servlet.and(adapter.endpoint(target.path(), ignoresSlash));
  }

  /** Bounded, since servlets have names of the application and the set of methods is fixed. */
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
    if (CONTROL.equals(registered.getClassName())) {
      return control;
    }
    return type(registered)
        .map(type -> endpoint(type, httpMethod))
        .orElse(runsJaxrs(registered) ? jaxrs : withoutClass);
  }

  private Endpoint endpoint(Class<?> type, String httpMethod) {
    Optional<Method> method = answering(type, httpMethod);
    return new Endpoint(endpoint(type, method), method, Kind.SERVLET);
  }

  /**
   * Finds the class of a servlet; empty for a JSP, if the class can't be found, and for a servlet
   * that runs JAX-RS, whose resources the feature limits.
   */
  private Optional<Class<?>> type(ServletRegistration servlet) {
    @Nullable String name = servlet.getClassName();
    if (name == null || runsJaxrs(servlet)) {
      return Optional.empty();
    }
    return types.computeIfAbsent(name, any -> findClass(servlet.getName(), name));
  }

  static boolean runsJaxrs(Registration servletOrFilter) {
    @Nullable String name = servletOrFilter.getClassName();
    return name != null && RUNS_JAXRS.stream().anyMatch(name::startsWith);
  }

  private Optional<Class<?>> findClass(String servlet, String name) {
    try {
      return Optional.of(classes.find(name));
    } catch (ClassNotFoundException notFound) {
      LOG.log(
          System.Logger.Level.WARNING,
          "The servlet "
              + servlet
              + " is limited by URL only, and its annotations are ignored: no class loader of the"
              + " application finds its class "
              + name
              + ". Set the parent class loader of the container's context, or the context class"
              + " loader of the thread that makes the filter",
          notFound);
      return Optional.empty();
    }
  }

  /** Returns the names of the servlets that have limits other than those of URL patterns. */
  Set<String> limited() {
    Set<String> names = new TreeSet<>();
    for (ServletRegistration servlet : servlets()) {
      for (String httpMethod : ServletMethodFinder.httpMethods()) {
        if (!known(servlet.getName(), httpMethod).limits().isEmpty()) {
          names.add(servlet.getName());
        }
      }
    }
    return names;
  }

  private List<? extends ServletRegistration> servlets() {
    return context.getServletRegistrations().values().stream()
        .filter(each -> !FilterStarter.is(each) && !UnlimitedClassesCheck.is(each))
        .toList();
  }

  enum Kind {
    /** Of the application. */
    SERVLET,
    /** Of the container, or of a class that isn't known. */
    UNKNOWN,
    /** Runs JAX-RS. */
    JAXRS,
    /** Weir's own API. */
    CONTROL
  }

  /**
   * An endpoint, with the method that carries its policies.
   *
   * @param kind what the servlet runs
   */
  record Endpoint(LimitedEndpoint limits, Optional<Method> method, Kind kind) {
    /** Returns whether the servlet runs JAX-RS, whose resources the feature limits. */
    boolean runsJaxrs() {
      return kind == Kind.JAXRS;
    }

    /** Returns whether it is Weir's own API, which nothing limits. */
    boolean isControl() {
      return kind == Kind.CONTROL;
    }

    /** Returns whether requests reach code of the application, or a resource of JAX-RS, there. */
    boolean isOfApplication() {
      return kind == Kind.SERVLET || kind == Kind.JAXRS;
    }

    /** Returns whether no method of the servlet's own class answers, but {@code HttpServlet}'s. */
    boolean isGenerated() {
      return kind == Kind.SERVLET && method.isEmpty();
    }

    /** Returns whether any policy may have to be decided right before the servlet. */
    boolean decidesBeforeServlet() {
      DecisionPhase phase = DecisionPhase.AFTER_AUTHENTICATION;
      return runsJaxrs() ? limits.isBound(phase) : limits.decides(phase);
    }

    /** Returns whether the servlet has its own method for HEAD instead of the one for GET. */
    boolean answersHead() {
      return method.filter(each -> each.getName().equals("doHead")).isPresent();
    }

    private Endpoint and(LimitedEndpoint path) {
      return path.isEmpty() ? this : new Endpoint(limits.and(path), method, kind);
    }
  }
}
