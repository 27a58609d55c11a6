package io.weir.grpc;

import io.grpc.MethodDescriptor;
import io.weir.adapter.LimitedEndpoint;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * A method of a service, and its limits.
 *
 * <p>Immutable.
 *
 * @param path {@code /package.Service/Method}
 * @param type the class that carries the annotations
 * @param method the Java method that answers; null if there is none to be read
 * @param endpoint its policies, without those of its path
 * @param perMessage whether each message of the client counts
 */
record LimitedMethod(
    String path,
    Class<?> type,
    @Nullable Method method,
    LimitedEndpoint endpoint,
    boolean perMessage) {
  /** Returns the path by which HTTP calls a method. */
  static String path(MethodDescriptor<?, ?> method) {
    return "/" + method.getFullMethodName();
  }
}
