package io.weir.internal.rules.database;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Wraps connections, statements and databases, so that a handler sees each call before they do. */
public final class JdbcProxy {
  private JdbcProxy() {}

  /**
   * Makes an object of an interface.
   *
   * @param handler executes its calls, with {@link #call} those that it leaves as they are
   */
  public static <T> T of(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(JdbcProxy.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** Calls a method of a wrapped object, and throws what it throws. */
  public static @Nullable Object call(
      Object wrapped, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(wrapped, arguments);
    } catch (InvocationTargetException failed) {
      throw failed.getCause() == null ? failed : failed.getCause();
    }
  }
}
