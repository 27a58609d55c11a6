package io.weir.micronaut;

import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedCall;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;

/**
 * Identifies a method of a bean by its declaration in the source, behind generated subclasses.
 *
 * @param type the class as it is written; the interface of a bean without such a class, such as a
 *     client
 * @param method the method that runs
 */
record BeanMethod(Class<?> type, Method method) {
  private static final String CONTROLLER = "io.micronaut.http.annotation.Controller";
  private static final String WEB_SOCKET = "io.micronaut.websocket.annotation.ServerWebSocket";
  private static final String MAPPING = "io.micronaut.http.annotation.HttpMethodMapping";

  static BeanMethod of(MethodInvocationContext<Object, Object> call) {
    Method method = WrittenTypes.of(call.getTargetMethod());
    Class<?> type = WrittenTypes.of(call.getTarget().getClass());
    return new BeanMethod(
        method.getDeclaringClass().isAssignableFrom(type) ? type : method.getDeclaringClass(),
        method);
  }

  /**
   * Returns whether the limit of its class leaves a method out: it answers no request, such as a
   * method of a controller that maps an exception, or one of a WebSocket that gets messages.
   */
  static boolean isLeftOut(AnnotationMetadata method) {
    return method.hasStereotype(WEB_SOCKET)
        || method.hasStereotype(CONTROLLER) && !method.hasStereotype(MAPPING);
  }

  /** Returns what limits the calls; empty if the limit of the class leaves the method out. */
  Optional<LimitedCall> call(Adapter adapter, MethodInvocationContext<Object, Object> call) {
    return isLeftOut(call) && !adapter.isAnnotated(method)
        ? Optional.empty()
        : Optional.of(adapter.call(type, method, List.of(call.getArgumentNames())));
  }
}
