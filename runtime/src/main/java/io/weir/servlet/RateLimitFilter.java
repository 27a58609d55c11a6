package io.weir.servlet;

import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Limits the servlets behind it by their annotations, on the class or on {@code doGet}, {@code
 * doPost} and so on, and by the URL patterns of the settings.
 *
 * <p>Register it in web.xml by its class name, or in code with a {@link Weir} of your own. Map it
 * to {@code /*} for all dispatches and mark it {@code async-supported}. Its init parameters:
 *
 * <ul>
 *   <li>{@code phase}: {@code both} (the default) for a single filter; {@code before} and {@code
 *       after} for two filters around the one that signs users in. The second decides policies by
 *       user, the first all others. For servlets that the second isn't mapped to, a filter that
 *       {@link WeirInitializer} adds decides policies by user right before the servlet; without it
 *       the application doesn't start.
 *   <li>settings ({@code weir.…}), here or as parameters of the application; they override the same
 *       settings from all other sources
 * </ul>
 *
 * <p>A browser's CORS preflight costs nothing where no servlet's own method and no resource of
 * JAX-RS answers it.
 *
 * <p>Policies of a class limit all methods of the servlet that have none of their own. HEAD counts
 * as GET unless the servlet has a {@code doHead}. If a servlet overrides {@code service} and
 * annotates it, that annotation applies. A request that is forwarded, included or dispatched is
 * also decided by the policies of its target, each of which charges it once; a refusal there
 * refunds the charges of the target, not those of the servlet before it. A refused include throws
 * {@link io.weir.RateLimitExceededException}, which becomes the response unless the application
 * catches it; if the response is already committed, the include is skipped. Error pages cost
 * nothing, but the targets that they dispatch to do. The {@link io.weir.Decision} is an attribute
 * of the request under its class name.
 *
 * <p>Safe for concurrent use.
 */
public final class RateLimitFilter implements Filter {
  private static final System.Logger LOG = System.getLogger(RateLimitFilter.class.getName());

  private final Optional<Weir> given;
  private @Nullable RequestLimiter limiter;
  private Runnable withdraw = () -> {};
  private SignInPosition phase = SignInPosition.BOTH;
  private Optional<Adapter> adapter = Optional.empty();

  /**
   * The context class loader at construction: the application's own, if it embeds its container.
   */
  private final Optional<ClassLoader> loaderAtConstruction =
      Optional.ofNullable(Thread.currentThread().getContextClassLoader());

  /**
   * Limits by the {@linkplain Weir#application() application's} Weir, and closes it when the
   * application stops.
   */
  public RateLimitFilter() {
    this.given = Optional.empty();
  }

  /**
   * Limits by a given Weir.
   *
   * @param weir the Weir, which the filter doesn't close
   */
  public RateLimitFilter(Weir weir) {
    this.given = Optional.of(weir);
  }

  /**
   * Reads the parameters and validates the annotations of all servlets.
   *
   * @param config the filter's configuration
   * @throws IllegalArgumentException if a parameter, a setting or an annotation is invalid
   */
  @Override
  public void init(FilterConfig config) {
    @Nullable ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader loader = context != null ? context : RateLimitFilter.class.getClassLoader();
    ServletContext application = config.getServletContext();
    FilterParameters parameters = new FilterParameters(RateLimitFilter.class, application);
    phase = parameters.phase(config);
    AdapterOptions options =
        AdapterOptions.defaults().withClassLoader(loader).withSettings(parameters.settings());
    Adapter opened = Weir.adapter(given.map(options::withWeir).orElse(options));
    adapter = Optional.of(opened);
    try {
      start(opened, application, parameters, loader);
    } catch (RuntimeException | Error failure) {
      destroy();
      throw failure;
    }
  }

  private void start(
      Adapter opened, ServletContext context, FilterParameters parameters, ClassLoader loader) {
    ServletClassLoaders classes =
        new ServletClassLoaders(
            List.of(Optional.of(loader), loaderAtConstruction, opened.applicationLoader()),
            context);
    ServletEndpoints servlets = new ServletEndpoints(opened, context, classes);
    servlets.check();
    opened.started();
    CorsPreflights preflights =
        new CorsPreflights(context, servlets, PerServletFilter.servlets(context));
    RequestLimiter made = new RequestLimiter(opened, servlets, preflights);
    limiter = made;
    made.shareIn(context);
    withdraw =
        () -> {
          made.withdrawFrom(context);
          context.removeAttribute(Weir.class.getName());
        };
    Weir weir = opened.weir();
    if (context.getAttribute(Weir.class.getName()) != weir) {
      context.setAttribute(Weir.class.getName(), weir);
      LOG.log(System.Logger.Level.INFO, weir::table);
      UnmappedDispatchWarning.find(context, parameters, servlets).ifPresent(each -> each.log(LOG));
    }
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest http
        && response instanceof HttpServletResponse answer) {
      Objects.requireNonNull(limiter, "init() wasn't called")
          .filter(this, phase, http, answer, chain);
    } else {
      chain.doFilter(request, response);
    }
  }

  /**
   * Closes the application's Weir, if this filter was its last user. It leaves nothing in the
   * application's context, which a container may keep in memory.
   */
  @Override
  public void destroy() {
    withdraw.run();
    withdraw = () -> {};
    adapter.ifPresent(Adapter::close);
    adapter = Optional.empty();
  }
}
