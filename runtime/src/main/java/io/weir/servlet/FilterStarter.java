package io.weir.servlet;

import io.weir.internal.container.UndertowFilters;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.GenericServlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Initializes filters at the start of an application on servers that otherwise do so at the first
 * request: a mistake in an annotation or setting then stops the start, as it does on other servers.
 * A servlet, since servers initialize servlets last, after all listeners. It is mapped to no path
 * and serves no requests.
 */
final class FilterStarter extends GenericServlet {
  private static final long serialVersionUID = 1;

  private final transient List<Class<? extends Filter>> filters;
  private final transient Runnable whenFailed;

  private FilterStarter(List<Class<? extends Filter>> filters, Runnable whenFailed) {
    this.filters = filters;
    this.whenFailed = whenFailed;
  }

  /**
   * Adds itself to an application if its server needs it.
   *
   * @param filters the classes of the filters
   * @param whenFailed run if a filter can't be initialized
   */
  static void register(
      ServletContext context, List<Class<? extends Filter>> filters, Runnable whenFailed) {
    if (UndertowFilters.areIn(context)) {
      ServletRegistration.@Nullable Dynamic added =
          context.addServlet(FilterStarter.class.getName(), new FilterStarter(filters, whenFailed));
      if (added != null) {
        added.setLoadOnStartup(Integer.MAX_VALUE);
      }
    }
  }

  /** Returns whether a servlet is this one, which the application doesn't know. */
  static boolean is(ServletRegistration servlet) {
    return FilterStarter.class.getName().equals(servlet.getClassName());
  }

  @Override
  public void init() {
    try {
      UndertowFilters.initialize(getServletContext(), names());
    } catch (RuntimeException | Error failure) {
      whenFailed.run();
      throw failure;
    }
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    for (Class<? extends Filter> each : filters) {
      RegisteredFilters.of(each, getServletContext()).stream()
          .map(FilterRegistration::getName)
          .forEach(names::add);
    }
    return names;
  }

  @Override
  public void service(ServletRequest request, ServletResponse response) {}
}
