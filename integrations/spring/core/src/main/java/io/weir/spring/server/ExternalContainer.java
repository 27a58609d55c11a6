package io.weir.spring.server;

import java.lang.reflect.Field;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.WebApplicationContext;

/**
 * Finds what replaces the caller's address in a servlet container that Spring Boot hasn't started:
 * Tomcat's {@code RemoteIpValve}, Jetty's {@code ForwardedRequestCustomizer}. Uses reflection,
 * since applications don't see all classes of their container. Stateless.
 */
final class ExternalContainer {
  private static final String TOMCAT = "org.apache.catalina.core.ApplicationContextFacade";
  private static final String TOMCATS_VALVE = "org.apache.catalina.valves.RemoteIpValve";
  private static final String JETTYS_CUSTOMIZER =
      "org.eclipse.jetty.server.ForwardedRequestCustomizer";

  private ExternalContainer() {}

  /**
   * Finds the part of the container and returns its class; empty if there is none, or the container
   * is an unknown one.
   */
  static Optional<String> rewriter(ApplicationContext context) {
    if (!ClassUtils.isPresent("jakarta.servlet.ServletContext", context.getClassLoader())
        || !(context instanceof WebApplicationContext web)
        || web.getServletContext() == null) {
      return Optional.empty();
    }
    Object servlets = web.getServletContext();
    try {
      if (servlets.getClass().getName().equals(TOMCAT)) {
        return ofTomcat(field(field(servlets, "context"), "context"));
      }
      return servlets.getClass().getName().startsWith("org.eclipse.jetty.")
          ? ofJetty(servlets)
          : Optional.empty();
    } catch (ReflectiveOperationException | RuntimeException otherVersion) {
      return Optional.empty();
    }
  }

  /** Looks at the valves of the application, its host and its engine. */
  private static Optional<String> ofTomcat(Object application) throws ReflectiveOperationException {
    @Nullable Object each = application;
    while (each != null) {
      for (Object valve : (Object[]) call(call(each, "getPipeline"), "getValves")) {
        if (isA(TOMCATS_VALVE, valve.getClass())) {
          return Optional.of(TOMCATS_VALVE);
        }
      }
      each = callOrNull(each, "getParent");
    }
    return Optional.empty();
  }

  private static Optional<String> ofJetty(Object servlets) throws ReflectiveOperationException {
    Object server = call(call(servlets, "getContextHandler"), "getServer");
    for (Object connector : (Object[]) call(server, "getConnectors")) {
      for (Object factory : (Collection<?>) call(connector, "getConnectionFactories")) {
        for (Object customizer : customizers(factory)) {
          if (isA(JETTYS_CUSTOMIZER, customizer.getClass())) {
            return Optional.of(JETTYS_CUSTOMIZER);
          }
        }
      }
    }
    return Optional.empty();
  }

  private static List<?> customizers(Object factory) throws ReflectiveOperationException {
    return ClassUtils.hasMethod(factory.getClass(), "getHttpConfiguration")
        ? (List<?>) call(call(factory, "getHttpConfiguration"), "getCustomizers")
        : List.of();
  }

  private static boolean isA(String name, @Nullable Class<?> type) {
    return type != null && (type.getName().equals(name) || isA(name, type.getSuperclass()));
  }

  private static Object field(Object target, String name) throws ReflectiveOperationException {
    Field field = target.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(target);
  }

  private static Object call(Object target, String method) throws ReflectiveOperationException {
    @Nullable Object result = callOrNull(target, method);
    if (result == null) {
      throw new NoSuchMethodException(method);
    }
    return result;
  }

  private static @Nullable Object callOrNull(Object target, String method)
      throws ReflectiveOperationException {
    return target.getClass().getMethod(method).invoke(target);
  }
}
