package io.weir.servlet;

import io.weir.internal.application.WeirHandle;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Closes an application's Weir when a servlet container stops the application, and lets {@link
 * RateLimitFilter} see each dispatch to the servlets registered so far. Public because servlet
 * containers find it as a service and call it; applications don't, unless they embed a container
 * that looks for no services.
 *
 * <p>Immutable.
 */
public final class WeirInitializer implements ServletContainerInitializer {
  /** Made by the container. */
  public WeirInitializer() {}

  /**
   * Adds the listener that closes, and a filter right before each servlet.
   *
   * @param types of no interest
   * @param context the application
   */
  @Override
  public void onStartup(@Nullable Set<Class<?>> types, ServletContext context) {
    context.addListener(new Closer(Thread.currentThread().getContextClassLoader()));
    PerServletFilter.register(context);
  }

  private static final class Closer implements ServletContextListener {
    private final @Nullable ClassLoader loader;
    private Optional<WeirHandle> use = Optional.empty();

    Closer(@Nullable ClassLoader loader) {
      this.loader = loader;
    }

    @Override
    public void contextInitialized(ServletContextEvent event) {
      use = Optional.ofNullable(loader).map(WeirHandle::open);
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
      use.ifPresent(WeirHandle::close);
    }
  }
}
