package io.weir.aspectj;

import io.weir.internal.container.HandlerClass;
import java.lang.reflect.Method;

/**
 * Checks whether the limit of a class applies to a method: in a JAX-RS resource only to endpoints,
 * not to a setter that the container calls. The servlet API is known by name, since it is optional.
 */
final class WebEndpointCheck {
  private static final String SERVLET = "jakarta.servlet.Servlet";

  private WebEndpointCheck() {}

  /**
   * Returns whether a method is an endpoint. True for all methods of classes without web APIs,
   * false for all methods of servlets, which the servlet filter limits.
   */
  static boolean isEndpoint(Class<?> type, Method method) {
    return !HandlerClass.anyInFamily(type, each -> each.getName().equals(SERVLET))
        && (!HandlerClass.isResource(type)
            || HandlerClass.anyInFamily(type, method, HandlerClass::isDesignated));
  }
}
