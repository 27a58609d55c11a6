package io.weir.servlet;

import io.weir.Weir;
import io.weir.internal.guard.WeirHandle;
import io.weir.internal.guard.WeirRuntime;
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
 * Limits the servlets behind it, by the annotations of the servlet that answers and of its {@code
 * doGet}, {@code doPost} and so on, and by the URL patterns of the settings.
 *
 * <p>Register it in web.xml by its class name, or in code with a {@link Weir} of your own. Map it
 * to {@code /*} for all dispatches and mark it {@code async-supported}. Its init parameters:
 *
 * <ul>
 *   <li>{@code phase}: {@code both} (the default) for a filter that stands alone; {@code before}
 *       and {@code after} for two of them around a filter that signs users in. Policies by user are
 *       decided by the second, all others by the first. What the second isn't mapped to is decided
 *       right before the servlet; where nothing stands there, the start is refused.
 *   <li>settings ({@code weir.…}), here or as parameters of the application; they override those
 *       from all other places
 * </ul>
 *
 * <p>Policies of a class limit all methods of the servlet that have none of their own. HEAD counts
 * as GET unless the servlet has a {@code doHead}. If a servlet overrides {@code service} and
 * annotates it, that annotation holds. A request that is forwarded, included or dispatched is also
 * decided by the policies of its target, each of which charges it once; a refusal there refunds
 * what the target charged, not what the servlet before it did. An include that is refused throws
 * {@link io.weir.RateLimitExceededException}, which becomes the response unless the application
 * catches it; if the response is committed already, the include is left out. Error pages cost
 * nothing, but what they dispatch to does. The {@link io.weir.Decision} is an attribute of the
 * request under its class name.
 *
 * <p>Safe for concurrent use.
 */
public final class RateLimitFilter implements Filter {
  private static final System.Logger LOG = System.getLogger(RateLimitFilter.class.getName());

  private final @Nullable WeirRuntime given;
  private @Nullable RequestLimiter limiter;
  private FilterPhase phase = FilterPhase.BOTH;
  private Optional<WeirHandle> use = Optional.empty();

  /**
   * The context class loader at construction: the application's own, if it embeds its container.
   */
  private final Optional<ClassLoader> maker =
      Optional.ofNullable(Thread.currentThread().getContextClassLoader());

  /**
   * Limits by the {@linkplain Weir#application() application's} Weir, and closes that when the
   * application stops.
   */
  public RateLimitFilter() {
    this.given = null;
  }

  /**
   * Limits by a Weir of your own.
   *
   * @param weir stays open until its owner closes it
   */
  public RateLimitFilter(Weir weir) {
    this.given = WeirRuntime.of(weir);
  }

  /**
   * Reads the parameters and validates the annotations of all servlets.
   *
   * @param config the filter's configuration
   * @throws IllegalArgumentException if a parameter, a setting or an annotation is wrong
   */
  @Override
  public void init(FilterConfig config) {
    @Nullable ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader loader = context != null ? context : RateLimitFilter.class.getClassLoader();
    WeirHandle begun = given == null ? WeirHandle.open(loader) : WeirHandle.open(loader, given);
    use = Optional.of(begun);
    try {
      start(config, begun, loader);
    } catch (RuntimeException | Error wrong) {
      destroy();
      throw wrong;
    }
  }

  private void start(FilterConfig config, WeirHandle begun, ClassLoader loader) {
    ServletContext context = config.getServletContext();
    FilterParameters parameters = new FilterParameters(RateLimitFilter.class, context);
    phase = parameters.phase(config);
    WeirRuntime found = begun.weir(parameters.settings());
    ServletClassFinder classes =
        new ServletClassFinder(List.of(Optional.of(loader), maker, found.applicationLoader()), context);
    ServletEndpoints servlets = new ServletEndpoints(found, context, classes);
    servlets.check();
    RequestLimiter made = new RequestLimiter(found, servlets);
    limiter = made;
    made.shareIn(context);
    if (context.getAttribute(Weir.class.getName()) != found) {
      context.setAttribute(Weir.class.getName(), found);
      LOG.log(System.Logger.Level.INFO, found::table);
      UnmappedDispatchWarning.find(context, parameters, servlets).ifPresent(each -> each.log(LOG));
    }
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest http
        && response instanceof HttpServletResponse answer) {
      Objects.requireNonNull(limiter, "init() was not called")
          .filter(this, phase, http, answer, chain);
    } else {
      chain.doFilter(request, response);
    }
  }

  /** Closes the application's Weir, if it was made for it and nobody else uses it. */
  @Override
  public void destroy() {
    use.ifPresent(WeirHandle::close);
    use = Optional.empty();
  }
}
