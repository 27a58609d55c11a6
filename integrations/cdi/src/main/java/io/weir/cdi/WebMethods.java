package io.weir.cdi;

import jakarta.enterprise.lang.model.declarations.ClassInfo;
import jakarta.enterprise.lang.model.declarations.MethodInfo;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Finds the methods of web classes, and of services of Quarkus' gRPC server, that answer requests.
 * These APIs are known by name, since they are optional.
 */
final class WebMethods {
  private static final Set<String> SERVLETS =
      Set.of("jakarta.servlet.Servlet", "jakarta.servlet.Filter");
  private static final String PATH = "jakarta.ws.rs.Path";
  private static final String HTTP_METHOD = "jakarta.ws.rs.HttpMethod";
  private static final String GRPC_SERVICE = "io.quarkus.grpc.GrpcService";

  private WebMethods() {}

  /**
   * Selects the methods that the limit of a class applies to, as far as the web is concerned: not
   * those of a web class that answer no request.
   */
  static Predicate<MethodInfo> limitedByClass(LimitedClass type) {
    if (isServlet(type) || isGrpcService(type)) {
      return method -> false;
    }
    return isResource(type) ? method -> isEndpoint(type, method) : method -> true;
  }

  /** Returns whether a web adapter limits a method, whether its calls are intercepted or not. */
  static boolean isLimitedByWeb(LimitedClass type, MethodInfo method) {
    if (isGrpcService(type)) {
      return true;
    }
    return isServlet(type)
        ? method.name().matches("service|doFilter|do[A-Z][a-z]+")
        : isEndpoint(type, method);
  }

  static boolean isServlet(LimitedClass type) {
    return type.ancestors().stream().map(ClassInfo::name).anyMatch(SERVLETS::contains);
  }

  /**
   * Returns whether a class is a service of Quarkus' gRPC server, whose calls are limited as a
   * whole: its methods are intercepted by nothing.
   */
  static boolean isGrpcService(LimitedClass type) {
    return type.type().hasAnnotation(annotation -> annotation.name().equals(GRPC_SERVICE));
  }

  static boolean isResource(LimitedClass type) {
    return type.ancestors().stream()
            .anyMatch(each -> each.hasAnnotation(annotation -> annotation.name().equals(PATH)))
        || type.declared().stream().anyMatch(WebMethods::isDesignated);
  }

  private static boolean isEndpoint(LimitedClass type, MethodInfo method) {
    return type.declarations(method).stream().anyMatch(WebMethods::isDesignated);
  }

  private static boolean isDesignated(MethodInfo method) {
    return method.hasAnnotation(
        annotation ->
            Marks.declaration(annotation)
                .filter(type -> type.hasAnnotation(each -> each.name().equals(HTTP_METHOD)))
                .isPresent());
  }
}
