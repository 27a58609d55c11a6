package io.weir.jaxrs;

import io.weir.internal.container.AnnotatedLimits;
import io.weir.internal.container.HandlerClass;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Configuration;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Determines which classes and methods of an application are endpoints. */
final class ResourceMethods {
  private static final String JERSEY = "org.glassfish.jersey.server";
  private static final String CONTROL = "io.weir.internal.control";

  private ResourceMethods() {}

  /** Finds the root resources that are registered before the first request. */
  static List<Class<?>> registered(Configuration configuration) {
    return classes(configuration).filter(HandlerClass::isRootResource).toList();
  }

  private static Stream<Class<?>> classes(Configuration configuration) {
    Stream<Class<?>> ofInstances = configuration.getInstances().stream().map(Object::getClass);
    return Stream.concat(configuration.getClasses().stream(), ofInstances).distinct();
  }

  /**
   * Returns whether a method is an endpoint. Excludes Jersey's own methods (OPTIONS and WADL),
   * lambdas, which have no name, and Weir's own API: a rule must not lock out the callers that
   * could change it.
   */
  static boolean isEndpoint(ResourceInfo resource) {
    Class<?> type = resource.getResourceClass();
    return type != null
        && resource.getResourceMethod() != null
        && !type.isHidden()
        && !type.getPackageName().startsWith(JERSEY)
        && !type.getPackageName().startsWith(CONTROL);
  }

  /** Returns whether a method is one by which Jersey answers OPTIONS itself. */
  static boolean answersOptions(ResourceInfo resource) {
    Class<?> type = resource.getResourceClass();
    return type != null && resource.getResourceMethod() != null && answersOptions(type);
  }

  static boolean answersOptions(Class<?> type) {
    return type.getPackageName().startsWith(JERSEY) && type.getName().contains("Options");
  }

  /**
   * Finds registered classes with limits that JAX-RS sends no requests to, such as filters, and
   * that aren't woven.
   */
  static List<Class<?>> limitedNonResources(Configuration configuration) {
    return classes(configuration)
        .filter(each -> !HandlerClass.isRootResource(each) && !HandlerClass.isWoven(each))
        .filter(
            each ->
                AnnotatedLimits.areOn(each)
                    || Arrays.stream(methods(each)).anyMatch(AnnotatedLimits::areOn))
        .toList();
  }

  /**
   * Finds methods with limits that answer no request, sub-resource locators and helpers, and that
   * aren't woven.
   */
  static List<Method> limitedNonEndpoints(Class<?> type) {
    List<Method> limited = new ArrayList<>();
    for (Method method : methods(type)) {
      if (!HandlerClass.isDesignated(method)
          && AnnotatedLimits.areOn(method)
          && !HandlerClass.isWoven(method)
          && !HandlerClass.anyInFamily(type, method, HandlerClass::isDesignated)) {
        limited.add(method);
      }
    }
    return limited;
  }

  /** Reads the methods; none if they mention a missing class, which the application reports. */
  private static Method[] methods(Class<?> type) {
    try {
      return type.getMethods();
    } catch (LinkageError missing) {
      return new Method[0];
    }
  }

  /** Returns whether a method answers HEAD itself; otherwise the one for GET does. */
  static boolean answersHead(Method method) {
    return HandlerClass.anyInFamily(
        method.getDeclaringClass(), method, each -> each.isAnnotationPresent(HEAD.class));
  }
}
