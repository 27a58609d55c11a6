package io.weir.servlet;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Logs an error that names the annotated resources of JAX-RS if no feature of Weir is registered:
 * CXF doesn't find it as a service, and a setting forbids that on others. JAX-RS may start with the
 * first request, so this waits until each servlet that runs it has served one. Added only if there
 * are such resources.
 *
 * <p>Safe for concurrent use.
 */
final class UnlimitedResourcesCheck implements ServletRequestListener {
  private static final System.Logger LOG =
      System.getLogger(UnlimitedResourcesCheck.class.getName());

  private final List<Class<?>> resources;
  private final BooleanSupplier limited;
  private final Set<String> started = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean ended = new AtomicBoolean();

  private UnlimitedResourcesCheck(List<Class<?>> resources, BooleanSupplier limited) {
    this.resources = resources;
    this.limited = limited;
  }

  /**
   * Adds itself to an application that has something to check.
   *
   * @param resources root resources that carry limits
   * @param limited returns whether JAX-RS has applied a feature of Weir
   */
  static void register(ServletContext context, List<Class<?>> resources, BooleanSupplier limited) {
    if (!resources.isEmpty()) {
      context.addListener(new UnlimitedResourcesCheck(resources, limited));
    }
  }

  @Override
  public void requestDestroyed(ServletRequestEvent event) {
    if (!ended.get() && event.getServletRequest() instanceof HttpServletRequest request) {
      served(request, event.getServletContext());
    }
  }

  private void served(HttpServletRequest request, ServletContext context) {
    @Nullable HttpServletMapping mapping = request.getHttpServletMapping();
    Optional.ofNullable(mapping)
        .map(HttpServletMapping::getServletName)
        .flatMap(each -> Optional.ofNullable(context.getServletRegistration(each)))
        .filter(ServletEndpoints::runsJaxrs)
        .map(ServletRegistration::getName)
        .filter(started::add)
        .ifPresent(each -> check(context));
  }

  private void check(ServletContext context) {
    boolean all =
        context.getServletRegistrations().values().stream()
            .filter(ServletEndpoints::runsJaxrs)
            .allMatch(each -> started.contains(each.getName()));
    if (limited.getAsBoolean()) {
      ended.set(true);
    } else if (all && ended.compareAndSet(false, true)) {
      LOG.log(
          System.Logger.Level.ERROR,
          "The annotations of the resources "
              + AnnotatedClasses.names(resources)
              + " limit nothing: io.weir.jaxrs.RateLimitFeature isn't registered. Add it to the"
              + " classes of the JAX-RS application");
    }
  }
}
