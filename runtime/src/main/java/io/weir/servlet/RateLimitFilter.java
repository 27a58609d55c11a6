package io.weir.servlet;

import io.weir.guard.ApplicationUse;
import io.weir.guard.Phase;
import io.weir.guard.Weir;
import io.weir.http.Refusal;
import jakarta.servlet.DispatcherType;
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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Limits the servlets behind it: by the annotations of the servlet that will answer and of its
 * {@code doGet}, {@code doPost} and so on, and by the URL patterns of the settings.
 *
 * <p>In web.xml by its class name, or added by hand with a {@link Weir} of one's own. Map it to
 * {@code /*} for all dispatches and mark it {@code async-supported}. Its init parameters:
 *
 * <ul>
 *   <li>{@code phase}: {@code both} (the default) for a filter that stands alone; {@code before}
 *       and {@code after} for two of them around a filter that signs users in. Policies by user are
 *       decided by the second, all others by the first.
 *   <li>settings ({@code weir.…}), here or as parameters of the application, which go before those
 *       from all other places
 * </ul>
 *
 * <p>Policies of a class guard all of a servlet but what has policies of its own. HEAD counts as
 * GET unless the servlet has a {@code doHead}. A servlet that overrides {@code service} is limited
 * by what is annotated there, if anything is. A request counts once, however it is forwarded,
 * included or dispatched: where it came in, or if nothing limits that, where it is forwarded to.
 * The {@link io.weir.Decision} is an attribute of the request under its class name.
 *
 * <p>Safe for concurrent use.
 */
public final class RateLimitFilter implements Filter {
  private static final System.Logger LOG = System.getLogger(RateLimitFilter.class.getName());

  private static final Set<DispatcherType> MOVING =
      Set.of(DispatcherType.FORWARD, DispatcherType.ASYNC);

  private final @Nullable Weir given;
  private @Nullable Weir weir;
  private @Nullable Endpoints endpoints;
  private FilterPhase phase = FilterPhase.BOTH;
  private Optional<ApplicationUse> use = Optional.empty();

  /** Of the thread that made this one: an application's own, where that embeds its container. */
  private final Optional<ClassLoader> maker =
      Optional.ofNullable(Thread.currentThread().getContextClassLoader());

  /** Limits by the {@linkplain Weir#application() application's} Weir, and closes that with it. */
  public RateLimitFilter() {
    this.given = null;
  }

  /**
   * Limits by a Weir of one's own.
   *
   * @param weir stays open until its owner closes it
   */
  public RateLimitFilter(Weir weir) {
    this.given = weir;
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
    ApplicationUse begun =
        given == null ? ApplicationUse.begin(loader) : ApplicationUse.begin(loader, given);
    use = Optional.of(begun);
    try {
      start(config, begun, loader);
    } catch (RuntimeException | Error wrong) {
      destroy();
      throw wrong;
    }
  }

  private void start(FilterConfig config, ApplicationUse begun, ClassLoader loader) {
    ServletContext context = config.getServletContext();
    phase = FilterParameters.phase(config);
    Weir found = begun.weir(FilterParameters.settings(context));
    weir = found;
    ServletClasses classes =
        new ServletClasses(List.of(Optional.of(loader), maker, found.applicationLoader()), context);
    Endpoints servlets = new Endpoints(found, context, classes);
    servlets.check();
    endpoints = servlets;
    if (context.getAttribute(Weir.class.getName()) != found) {
      context.setAttribute(Weir.class.getName(), found);
      LOG.log(System.Logger.Level.INFO, found::table);
    }
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest http
        && response instanceof HttpServletResponse answer
        && decides(http)) {
      cross(passage(http), http, answer, chain);
    } else {
      chain.doFilter(request, response);
    }
  }

  /** What is included belongs to a response under way; an error belongs to the request before. */
  private static boolean decides(HttpServletRequest request) {
    DispatcherType type = request.getDispatcherType();
    return type != DispatcherType.INCLUDE
        && (type != DispatcherType.ERROR || Passage.of(request).isPresent());
  }

  private Passage passage(HttpServletRequest request) {
    Endpoints servlets = Objects.requireNonNull(endpoints, "init() was not called");
    Optional<Passage> begun = Passage.of(request);
    if (begun.isEmpty()) {
      return Passage.begin(Objects.requireNonNull(weir), request, servlets);
    }
    if (MOVING.contains(request.getDispatcherType())) {
      begun.get().follow(request, servlets);
    }
    return begun.get();
  }

  private void cross(
      Passage passage, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    boolean first = passage.enter();
    boolean returned = false;
    try {
      pass(passage, request, response, chain);
      returned = true;
    } finally {
      if (!returned && (first || request.getDispatcherType() == DispatcherType.ASYNC)) {
        passage.failed();
      }
      leave(passage, first, request, response);
    }
  }

  private void pass(
      Passage passage, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Runnable unbind = passage.bind();
    try {
      Optional<Refusal> refusal = passage.decide(undecided(request), request);
      if (refusal.isPresent()) {
        refuse(passage, refusal.get(), request, response);
      } else {
        Responses.put(passage.headers(), response);
        proceed(passage, request, response, chain);
      }
    } finally {
      unbind.run();
    }
  }

  /** An error page must not be charged for whom nobody has signed in. */
  private List<Phase> undecided(HttpServletRequest request) {
    return request.getDispatcherType() == DispatcherType.ERROR ? List.of() : phase.phases();
  }

  private static void proceed(
      Passage passage, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    try {
      chain.doFilter(request, response);
    } catch (IOException | ServletException | RuntimeException thrown) {
      Optional<Refusal> refusal = passage.refusalIn(thrown);
      if (refusal.isEmpty() || response.isCommitted()) {
        throw thrown;
      }
      refuse(passage, refusal.get(), request, response);
    }
  }

  private static void refuse(
      Passage passage, Refusal refusal, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    passage.refused(refusal);
    Responses.send(refusal, request, response);
    if (request.isAsyncStarted()) {
      request.getAsyncContext().complete();
    }
  }

  /** A response that another thread may be writing is left alone. */
  private static void leave(
      Passage passage, boolean first, HttpServletRequest request, HttpServletResponse response) {
    if (!request.isAsyncStarted()) {
      Responses.putBack(passage.headers(), response);
    }
    if (first && request.isAsyncStarted()) {
      Completion.await(passage, request, response);
    } else if (first) {
      passage.completed(response.getStatus());
    }
  }

  /** Closes the application's Weir, if it was made for it and nobody else uses it. */
  @Override
  public void destroy() {
    use.ifPresent(ApplicationUse::close);
    use = Optional.empty();
  }
}
