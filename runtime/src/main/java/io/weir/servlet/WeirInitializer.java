package io.weir.servlet;

import io.weir.adapter.EndpointType;
import io.weir.adapter.WeirKeeper;
import io.weir.annotation.RateLimit;
import io.weir.annotation.RateLimits;
import io.weir.internal.container.WebApplicationEnd;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.HandlesTypes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Closes an application's Weir when the servlet container stops the application, and lets {@link
 * RateLimitFilter} decide each dispatch to the servlets registered so far. Logs an error that names
 * the servlets with annotations which no such filter is mapped to, and another one for classes with
 * annotations that nothing of Weir limits. On Undertow and WildFly, which initialize filters at the
 * first request, it initializes the rate limit filters when all other parts of the application have
 * started, so that mistakes stop the start.
 *
 * <p>Servlet containers find and call it as a service; call it yourself only if you embed a
 * container that doesn't look for services.
 *
 * <p>Immutable.
 */
@HandlesTypes({RateLimit.class, RateLimits.class})
public final class WeirInitializer implements ServletContainerInitializer {
  /**
   * Names the attribute of the application that holds what to run at its end, for an adapter that
   * learns of the end in no other way.
   */
  private static final String ENDED = "io.weir.ended";

  /** Called by the container. */
  public WeirInitializer() {}

  /**
   * Adds a listener that closes the Weir, a filter right before each servlet, a filter without a
   * path that logs the error, and on Undertow a servlet without a path that initializes filters. If
   * classes have annotations that may limit nothing, adds what checks that.
   *
   * @param types the classes of the application that have limits on themselves or their methods;
   *     null or empty if there are none, or if the container doesn't look for them
   * @param context the application
   */
  @Override
  public void onStartup(@Nullable Set<Class<?>> types, ServletContext context) {
    Queue<Runnable> ended = new ConcurrentLinkedQueue<>();
    context.setAttribute(ENDED, ended);
    Application application =
        new Application(Thread.currentThread().getContextClassLoader(), ended);
    context.addListener(application);
    PerServletFilter.register(context);
    StartCheck.register(context, RateLimitFilter.class);
    FilterStarter.register(
        context, List.of(RateLimitFilter.class, StartCheck.class), application::close);
    AnnotatedClasses annotated = AnnotatedClasses.of(types);
    UnlimitedClassesCheck.register(context, annotated.others(), application::limits);
    UnlimitedResourcesCheck.register(context, annotated.resources(), application::limitsResources);
  }

  /** Keeps the Weir of an application open from its start to its end. */
  private static final class Application implements ServletContextListener {
    private final @Nullable ClassLoader loader;
    private final Queue<Runnable> ended;
    private Optional<WeirKeeper> keeper = Optional.empty();

    Application(@Nullable ClassLoader loader, Queue<Runnable> ended) {
      this.loader = loader;
      this.ended = ended;
    }

    @Override
    public void contextInitialized(ServletContextEvent event) {
      Map<String, String> settings = FilterParameters.ofApplication(event.getServletContext());
      keeper = Optional.ofNullable(loader).map(each -> WeirKeeper.of(each, settings));
      Optional.ofNullable(loader).ifPresent(each -> WebApplicationEnd.begins(each, ended));
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
      close();
    }

    /** Returns whether an adapter has read a class; true if that can't be known. */
    private boolean limits(Class<?> type) {
      return keeper.map(each -> each.hasRead(type)).orElse(true);
    }

    /** Returns whether JAX-RS has applied a feature of Weir; true if that can't be known. */
    private boolean limitsResources() {
      return keeper.map(each -> each.hasRead(EndpointType.JAXRS)).orElse(true);
    }

    private void close() {
      Optional.ofNullable(loader).ifPresent(each -> WebApplicationEnd.ends(each, ended));
      ended.forEach(Runnable::run);
      ended.clear();
      keeper.ifPresent(WeirKeeper::close);
    }
  }
}
