package io.weir.internal.container;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Finds the event loop that the current thread runs, to go on there after waiting: that of Vert.x
 * or else Netty's. By reflection, since each has many versions, and either may be missing.
 */
final class EventLoop {
  private static final String VERTX = "io.vertx.core.Vertx";
  private static final String CONTEXT = "io.vertx.core.Context";
  private static final String HANDLER = "io.vertx.core.Handler";
  private static final String NETTY = "io.netty.util.internal.ThreadExecutorMap";

  private EventLoop() {}

  /** Returns the loop of this thread; if it isn't known, what runs a task where it is given. */
  static Executor current() {
    ClassLoader loader = EventLoop.class.getClassLoader();
    @Nullable Object context = result(loader, VERTX, "currentContext");
    if (context != null) {
      return task -> runOnContext(loader, context, task);
    }
    return result(loader, NETTY, "currentExecutor") instanceof Executor loop ? loop : Runnable::run;
  }

  private static @Nullable Object result(@Nullable ClassLoader loader, String type, String method) {
    try {
      return Class.forName(type, true, loader).getMethod(method).invoke(null);
    } catch (ReflectiveOperationException | LinkageError missing) {
      return null;
    }
  }

  private static void runOnContext(@Nullable ClassLoader loader, Object context, Runnable task) {
    try {
      Class<?> handler = Class.forName(HANDLER, true, loader);
      Object runs =
          java.lang.reflect.Proxy.newProxyInstance(
              loader,
              new Class<?>[] {handler},
              (proxy, method, arguments) -> {
                if (method.getName().equals("handle")) {
                  task.run();
                }
                return null;
              });
      Class.forName(CONTEXT, true, loader).getMethod("runOnContext", handler).invoke(context, runs);
    } catch (InvocationTargetException refused) {
      throw new IllegalStateException("the event loop rejects tasks", refused.getCause());
    } catch (ReflectiveOperationException impossible) {
      throw new LinkageError("Vert.x has no Context.runOnContext", impossible);
    }
  }
}
