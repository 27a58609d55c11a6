package io.weir.internal.container;

import java.lang.reflect.InvocationTargetException;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Initializes filters at the start of an application on Undertow, which otherwise initializes a
 * filter at its first request, too late for mistakes to stop the start. Uses reflection, since
 * applications on WildFly don't see the classes of Undertow.
 *
 * <p>Safe for concurrent use.
 */
public final class UndertowFilters {
  private static final String CONTEXT = "io.undertow.servlet.spec.ServletContextImpl";

  private UndertowFilters() {}

  /**
   * Returns whether an application runs on Undertow, perhaps within WildFly.
   *
   * @param context the {@code ServletContext} of the application
   * @return false if its server initializes filters at the start
   */
  public static boolean areIn(Object context) {
    return context.getClass().getName().equals(CONTEXT);
  }

  /**
   * Initializes filters that aren't initialized yet. Does nothing on a version of Undertow that
   * offers no way to do so.
   *
   * <p>Throws the unchecked exceptions of a filter that can't be initialized.
   *
   * @param context the {@code ServletContext} of an application that is about to start
   * @throws IllegalStateException if a filter throws a checked exception, as its cause
   */
  public static void initialize(Object context, Collection<String> names) {
    try {
      Object deployment = call(context, "getDeployment");
      Map<?, ?> filters = (Map<?, ?>) call(call(deployment, "getFilters"), "getFilters");
      for (String name : names) {
        @Nullable Object filter = filters.get(name);
        if (filter != null) {
          call(filter, "createFilter");
        }
      }
    } catch (InvocationTargetException failed) {
      throw asThrown(failed.getCause());
    } catch (ReflectiveOperationException | ClassCastException otherVersion) {
      // Filters are then initialized at their first request.
    }
  }

  private static Object call(Object target, String method) throws ReflectiveOperationException {
    return target.getClass().getMethod(method).invoke(target);
  }

  private static RuntimeException asThrown(@Nullable Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException same ? same : new IllegalStateException(cause);
  }
}
