package io.weir.spring.method;

import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.springframework.util.ReflectionUtils;

/**
 * Recognizes methods that AspectJ has woven with Weir's aspect. They are limited wherever they are
 * called from, so no proxy needs to see the call.
 *
 * <p>AspectJ moves the body of such a method into one with {@code _aroundBody} in its name. Where a
 * weaver at compile time did so, the class file names the aspect too. Where the agent did, the
 * class file doesn't know of it, and a method that any aspect runs around counts as woven.
 */
final class WovenMethods {
  private static final String BODY = "_aroundBody";
  private static final String ASPECTS = "io/weir/aspectj/";

  private WovenMethods() {}

  /** Returns whether woven code limits a method that carries a limit of its own. */
  static boolean isWoven(Method method) {
    Class<?> type = method.getDeclaringClass();
    String body = method.getName() + BODY;
    return Arrays.stream(ReflectionUtils.getDeclaredMethods(type))
            .anyMatch(each -> each.getName().startsWith(body))
        && ClassFiles.read(type)
            .map(WovenMethods::text)
            .map(text -> isOurs(text, body))
            .orElse(true);
  }

  private static boolean isOurs(String file, String body) {
    return file.contains(ASPECTS) || !file.contains(body);
  }

  /** Names of classes and methods in a class file are ASCII, as far as they are looked for. */
  private static String text(byte[] file) {
    return new String(file, StandardCharsets.ISO_8859_1);
  }
}
