package io.weir.internal.container;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.WeakHashMap;
import java.util.stream.Stream;

/**
 * Finds the web application that starts by its class loader, for adapters that must know when it
 * ends and see nothing of its container. Refers to it weakly, so it keeps none in memory.
 *
 * <p>Safe for concurrent use.
 */
public final class WebApplicationEnd {
  /** The tasks that each running application has for its end. Guarded by itself. */
  private static final Map<ClassLoader, List<WeakReference<Queue<Runnable>>>> RUNNING =
      new WeakHashMap<>();

  private WebApplicationEnd() {}

  /**
   * Notes that a web application starts.
   *
   * @param application its context class loader
   * @param ended what it will run at its end
   */
  public static void begins(ClassLoader application, Queue<Runnable> ended) {
    synchronized (RUNNING) {
      RUNNING
          .computeIfAbsent(application, any -> new ArrayList<>())
          .add(new WeakReference<>(ended));
    }
  }

  /**
   * Notes that a web application has ended.
   *
   * @param ended what it runs now
   */
  public static void ends(ClassLoader application, Queue<Runnable> ended) {
    synchronized (RUNNING) {
      RUNNING.computeIfPresent(
          application,
          (loader, queues) -> {
            queues.removeIf(each -> each.refersTo(ended) || each.refersTo(null));
            return queues.isEmpty() ? null : queues;
          });
    }
  }

  /**
   * Lets the web application of the current thread run an action at its end. Does nothing if there
   * is none, or if several share one class loader.
   */
  static void add(Runnable action) {
    ClassLoader application = Thread.currentThread().getContextClassLoader();
    synchronized (RUNNING) {
      List<Queue<Runnable>> running =
          RUNNING.getOrDefault(application, List.of()).stream()
              .flatMap(each -> Stream.ofNullable(each.get()))
              .toList();
      if (running.size() == 1) {
        running.get(0).add(action);
      }
    }
  }
}
