package io.weir.internal.policy;

import io.weir.internal.container.HandlerClass;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds limited methods that AspectJ hasn't woven, so that nothing limits them. */
final class WeavingCheck {
  private WeavingCheck() {}

  /** Says which method or class isn't woven, and what to do. */
  static Optional<String> mistake(JavaEndpoint endpoint) {
    return endpoint.method().map(WeavingCheck::isWoven).orElseGet(() -> isWoven(endpoint.type()))
        ? Optional.empty()
        : Optional.of(
            endpoint.place()
                + ": isn't woven, so its limits don't apply. Start with"
                + " -javaagent:aspectjweaver-<version>.jar, or weave at compile time by"
                + " aspectj-maven-plugin: mvn compile alone doesn't weave (docs/aspectj.md)");
  }

  private static boolean isWoven(Method method) {
    return Modifier.isAbstract(method.getModifiers()) || HandlerClass.isWoven(method);
  }

  /** An interface says what others do; of a class one method is enough, also an inherited one. */
  private static boolean isWoven(Class<?> type) {
    return type.isInterface()
        || Stream.<Class<?>>iterate(type, Objects::nonNull, Class::getSuperclass)
            .anyMatch(HandlerClass::isWoven);
  }
}
