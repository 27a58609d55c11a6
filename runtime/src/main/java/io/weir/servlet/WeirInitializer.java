package io.weir.servlet;

import io.weir.internal.application.WeirHandle;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Closes an application's Weir when the servlet container stops the application, and lets {@link
 * RateLimitFilter} decide each dispatch to the servlets registered so far. Servlet containers find
 * and call it as a service; call it yourself only if you embed a container that doesn't look for
 * services.
 *
 * <p>Immutable.
 */
public final class WeirInitializer implements ServletContainerInitializer {
  /**
   * Names the attribute of the application with what to run at its end, for an adapter that nothing
   * else tells of it.
   */
  private static final String ENDED = "io.weir.ended";

  /** Called by the container. */
  public WeirInitializer() {}

  /**
   * Adds a listener that closes the Weir, and a filter right before each servlet.
   *
   * @param types ignored
   * @param context the application
   */
  @Override
  public void onStartup(@Nullable Set<Class<?>> types, ServletContext context) {
    Queue<Runnable> ended = new ConcurrentLinkedQueue<>();
    context.setAttribute(ENDED, ended);
    context.addListener(new Closer(Thread.currentThread().getContextClassLoader(), ended));
    PerServletFilter.register(context);
  }

  private static final class Closer implements ServletContextListener {
    private final @Nullable ClassLoader loader;
    private final Queue<Runnable> ended;
    private Optional<WeirHandle> handle = Optional.empty();

    Closer(@Nullable ClassLoader loader, Queue<Runnable> ended) {
      this.loader = loader;
      this.ended = ended;
    }

    @Override
    public void contextInitialized(ServletContextEvent event) {
      handle = Optional.ofNullable(loader).map(WeirHandle::open);
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
      ended.forEach(Runnable::run);
      ended.clear();
      handle.ifPresent(WeirHandle::close);
    }
  }
}
