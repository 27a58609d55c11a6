package io.weir.spring;

import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Calls a getter of a library that may be absent, by name.
 *
 * <p>Safe for concurrent use.
 */
final class Getter {
  private final @Nullable Class<?> type;
  private final @Nullable Method method;

  /**
   * Finds a getter.
   *
   * @param type the name of the public class or interface that declares it
   * @param name the name of the public method
   */
  Getter(String type, String name) {
    this.type = SpringClasses.find(type);
    this.method = this.type == null ? null : find(this.type, name);
  }

  /** Other methods of the class may need libraries that are absent, such as Reactor. */
  private static @Nullable Method find(Class<?> type, String name) {
    try {
      return ClassUtils.getMethodIfAvailable(type, name);
    } catch (LinkageError unusable) {
      return null;
    }
  }

  /** Returns whether the library is there, with all that it needs. */
  boolean isPresent() {
    return method != null;
  }

  /** Lets a native image keep the getter. */
  void registerHints(RuntimeHints hints) {
    if (method != null) {
      hints.reflection().registerMethod(method, ExecutableMode.INVOKE);
    }
  }

  /** Returns what the getter returns; empty for null, and for objects that don't have it. */
  Optional<Object> of(@Nullable Object target) {
    return type != null && method != null && type.isInstance(target)
        ? Optional.ofNullable(ReflectionUtils.invokeMethod(method, target))
        : Optional.empty();
  }
}
