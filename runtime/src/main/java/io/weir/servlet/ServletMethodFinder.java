package io.weir.servlet;

import io.weir.internal.policy.PolicyCatalog;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Finds the method of a servlet that answers an HTTP method, as {@link HttpServlet} would. */
final class ServletMethodFinder {
  private static final Map<String, String> NAMES =
      Map.of(
          "GET", "doGet",
          "HEAD", "doHead",
          "POST", "doPost",
          "PUT", "doPut",
          "PATCH", "doPatch",
          "DELETE", "doDelete",
          "OPTIONS", "doOptions",
          "TRACE", "doTrace");

  private ServletMethodFinder() {}

  /** All HTTP methods that HttpServlet tells apart are known; others are alike. */
  static boolean isKnown(String httpMethod) {
    return NAMES.containsKey(httpMethod);
  }

  /** All HTTP methods that are known, and a text for all others. */
  static Set<String> alike() {
    Set<String> names = new TreeSet<>(NAMES.keySet());
    names.add("");
    return names;
  }

  /**
   * The method whose limits hold: {@code service} where the servlet overrides it and limits it,
   * else the servlet's own {@code doGet} or the like. Nothing where only HttpServlet itself would
   * answer.
   */
  static Optional<Method> answering(Class<?> servlet, String httpMethod) {
    Optional<Method> service = service(servlet);
    if (service.filter(ServletMethodFinder::isLimited).isPresent()) {
      return service;
    }
    return own(servlet, NAMES.getOrDefault(httpMethod, ""))
        .or(() -> httpMethod.equals("HEAD") ? own(servlet, "doGet") : Optional.empty())
        .or(() -> service);
  }

  private static Optional<Method> service(Class<?> servlet) {
    return own(servlet, "service")
        .or(() -> find(servlet, "service", ServletRequest.class, ServletResponse.class));
  }

  private static Optional<Method> own(Class<?> servlet, String name) {
    return find(servlet, name, HttpServletRequest.class, HttpServletResponse.class);
  }

  private static Optional<Method> find(Class<?> servlet, String name, Class<?>... parameters) {
    return lineage(servlet)
        .flatMap(each -> Arrays.stream(declared(each)))
        .filter(method -> method.getName().equals(name) && !method.isBridge())
        .filter(method -> Arrays.equals(method.getParameterTypes(), parameters))
        .findFirst();
  }

  /** None where Java can't read them, since one of them mentions a class that is missing. */
  private static Method[] declared(Class<?> type) {
    try {
      return type.getDeclaredMethods();
    } catch (LinkageError missing) {
      return new Method[0]; // the warning comes when annotations are read
    }
  }

  /** The servlet's class and those above it that belong to the application. */
  private static Stream<Class<?>> lineage(Class<?> servlet) {
    return Stream.<Class<?>>iterate(
        servlet,
        each -> each != null && each != HttpServlet.class && each != Object.class,
        Class::getSuperclass);
  }

  /** Whether a method, or one that it overrides, has an annotation of Weir. */
  private static boolean isLimited(Method service) {
    return PolicyCatalog.isAnnotated(service);
  }
}
