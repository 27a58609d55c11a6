package io.weir.cdi;

import io.weir.internal.container.HandlerClass;
import jakarta.enterprise.lang.model.declarations.MethodInfo;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Recognizes methods that AspectJ has woven with Weir's aspect. They are limited wherever they are
 * called from, so no interceptor needs to see the call.
 *
 * <p>AspectJ moves the body of such a method into one with {@code _aroundBody} in its name, which
 * the language model leaves out. Where a weaver at compile time did so, the class file has that
 * name and the aspect's. Where the agent did, only the loaded class shows it, and a method that any
 * aspect runs around counts as woven.
 */
final class WovenMethods {
  private static final String BODY = "_aroundBody";
  private static final String ASPECTS = "io/weir/aspectj/";

  private WovenMethods() {}

  /** Returns whether woven code limits a method that carries a limit of its own. */
  static boolean isWoven(MethodInfo method) {
    String type = method.declaringClass().name();
    String body = method.name() + BODY;
    Optional<String> file =
        ClassFiles.read(type).map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1));
    return file.filter(text -> text.contains(body)).isPresent()
        ? file.filter(text -> text.contains(ASPECTS)).isPresent()
        : isWovenByAgent(type, body);
  }

  private static boolean isWovenByAgent(String type, String body) {
    try {
      Class<?> loaded = Class.forName(type, false, Thread.currentThread().getContextClassLoader());
      return Arrays.stream(HandlerClass.methods(loaded))
          .anyMatch(each -> each.getName().startsWith(body));
    } catch (ClassNotFoundException | LinkageError absent) {
      return false;
    }
  }
}
