package io.weir.spring.method;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Predicate;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the methods of web classes that answer requests. The web APIs are known by name, since they
 * are optional.
 */
final class WebMethods {
  private static final String CONTROLLER = "org.springframework.stereotype.Controller";
  private static final String[] MAPPINGS = {
    "org.springframework.web.bind.annotation.RequestMapping",
    "org.springframework.web.service.annotation.HttpExchange"
  };
  private static final String SERVLET = "jakarta.servlet.Servlet";
  private static final String GRPC_SERVICE = "io.grpc.BindableService";
  private static final String PATH = "jakarta.ws.rs.Path";
  private static final String HTTP_METHOD = "jakarta.ws.rs.HttpMethod";

  private WebMethods() {}

  /** Returns whether a method of a controller answers requests of Spring MVC or WebFlux. */
  static boolean isHandler(Class<?> type, Method method) {
    return isController(type) && isMapped(method);
  }

  /**
   * Returns whether a class is a service of gRPC. Its adapter limits the calls of its methods, and
   * refuses limits of methods that no call leads to.
   */
  static boolean isGrpcService(Class<?> type) {
    return ClassUtils.getAllInterfacesForClassAsSet(type).stream()
        .anyMatch(each -> each.getName().equals(GRPC_SERVICE));
  }

  /**
   * Returns whether a controller works behind a proxy: Spring refuses to call private handlers of a
   * proxy, and final ones would run in the proxy, without the object's fields.
   */
  static boolean canBeProxied(Class<?> controller) {
    return !Modifier.isFinal(controller.getModifiers())
        && Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(controller))
            .filter(each -> (each.getModifiers() & (Modifier.PRIVATE | Modifier.FINAL)) != 0)
            .noneMatch(WebMethods::isMapped);
  }

  /**
   * Returns whether a framework finds a class that answers requests or messages by the class
   * itself, so that its bean must stay one of the class: a JAX-RS resource, or a controller unless
   * its interfaces say all that Spring has to know.
   */
  static boolean isFoundByClass(Class<?> type) {
    return isResource(type) || isController(type) && !isFoundByInterfaces(type);
  }

  private static boolean isFoundByInterfaces(Class<?> controller) {
    Set<Class<?>> interfaces = ClassUtils.getAllInterfacesForClassAsSet(controller);
    return interfaces.stream().anyMatch(WebMethods::isController)
        && Arrays.stream(MAPPINGS).noneMatch(MergedAnnotations.from(controller)::isPresent)
        && Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(controller))
            .filter(WebMethods::isMapped)
            .allMatch(each -> interfaces.stream().anyMatch(one -> maps(one, each)));
  }

  private static boolean maps(Class<?> type, Method method) {
    Method declared =
        ClassUtils.getMethodIfAvailable(type, method.getName(), method.getParameterTypes());
    return declared != null && isMapped(declared);
  }

  private static boolean isController(Class<?> type) {
    return annotations(type).isPresent(CONTROLLER);
  }

  private static boolean isMapped(Method method) {
    MergedAnnotations found = annotations(method);
    return Arrays.stream(MAPPINGS).anyMatch(found::isPresent);
  }

  private static MergedAnnotations annotations(AnnotatedElement element) {
    return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
  }

  /**
   * Selects the methods that the limit of a class applies to, as far as the web is concerned: not
   * those of a web class that answer no request.
   */
  static Predicate<Method> limitedByClass(Class<?> type) {
    if (ClassUtils.getAllInterfacesForClassAsSet(type).stream()
        .anyMatch(each -> each.getName().equals(SERVLET))) {
      return method -> false;
    }
    if (isController(type) && hasMapped(type)) {
      return WebMethods::isMapped;
    }
    return isResource(type) ? WebMethods::isDesignated : method -> true;
  }

  private static boolean hasMapped(Class<?> type) {
    return Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(type))
        .anyMatch(WebMethods::isMapped);
  }

  private static boolean isResource(Class<?> type) {
    return annotations(type).isPresent(PATH)
        || Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(type))
            .anyMatch(WebMethods::isDesignated);
  }

  private static boolean isDesignated(Method method) {
    return annotations(method).stream()
        .map(MergedAnnotation::getType)
        .anyMatch(each -> each.getName().equals(HTTP_METHOD));
  }
}
