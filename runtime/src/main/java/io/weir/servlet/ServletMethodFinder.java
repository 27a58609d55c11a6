package io.weir.servlet;

import io.weir.internal.container.HandlerClass;
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
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Finds the Java method with which a servlet answers an HTTP method, as {@link HttpServlet}. */
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

  /** Returns whether HttpServlet has a Java method for an HTTP method. */
  static boolean isKnown(String httpMethod) {
    return NAMES.containsKey(httpMethod);
  }

  /** Returns all known HTTP methods, and the empty text for all others. */
  static Set<String> httpMethods() {
    Set<String> names = new TreeSet<>(NAMES.keySet());
    names.add("");
    return names;
  }

  /** Returns whether a method has the name of one that answers requests. */
  static boolean answers(Method method) {
    return NAMES.containsValue(method.getName()) || method.getName().equals("service");
  }

  /**
   * Finds the method whose limits apply: {@code service} if the servlet overrides and annotates it,
   * else the servlet's own {@code doGet} or the like. Empty if only HttpServlet itself would
   * answer.
   *
   * @param annotated returns whether a method, or one that it overrides, has an annotation of Weir
   */
  static Optional<Method> answering(
      Class<?> servlet, String httpMethod, Predicate<Method> annotated) {
    Optional<Method> service = service(servlet);
    if (service.filter(annotated).isPresent()) {
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
        .flatMap(each -> Arrays.stream(HandlerClass.methods(each)))
        .filter(method -> method.getName().equals(name) && !method.isBridge())
        .filter(method -> Arrays.equals(method.getParameterTypes(), parameters))
        .findFirst();
  }

  /** Returns the servlet's class and its superclasses below HttpServlet. */
  static Stream<Class<?>> lineage(Class<?> servlet) {
    return Stream.<Class<?>>iterate(
        servlet,
        each -> each != null && each != HttpServlet.class && each != Object.class,
        Class::getSuperclass);
  }
}
