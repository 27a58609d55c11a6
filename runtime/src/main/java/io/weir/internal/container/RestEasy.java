package io.weir.internal.container;

import io.weir.internal.extension.ClassPresence;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Response;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jboss.resteasy.core.ResteasyContext;
import org.jboss.resteasy.core.interception.jaxrs.PostMatchContainerRequestContext;
import org.jboss.resteasy.core.interception.jaxrs.PreMatchContainerRequestContext;
import org.jboss.resteasy.plugins.server.Cleanables;
import org.jboss.resteasy.spi.HttpRequest;
import org.jboss.resteasy.spi.ResteasyDeployment;
import org.jspecify.annotations.Nullable;

/**
 * RESTEasy, which cleans up after each request in the thread that has dispatched it. Loaded only if
 * RESTEasy runs the application.
 *
 * <p>Safe for concurrent use.
 */
final class RestEasy implements JaxrsImplementation, PeerLookup {
  /** The servers without servlets whose threads are event loops. */
  private static final List<String> EVENT_LOOPS =
      List.of(
          "org.jboss.resteasy.plugins.server.netty.",
          "org.jboss.resteasy.plugins.server.reactor.netty.",
          "org.jboss.resteasy.plugins.server.vertx.");

  private static final boolean HAS_SERVLETS = ClassPresence.isPresent(ClassPresence.SERVLET);

  /**
   * Those that may run, held weakly: nothing else reports the end of one without a servlet
   * container.
   */
  private static final Set<WeakReference<RestEasy>> STARTED = ConcurrentHashMap.newKeySet();

  private volatile Optional<WeakReference<ResteasyDeployment>> deployment = Optional.empty();
  private volatile Runnable ended = () -> {};

  @Override
  public Optional<Peer> of(ContainerRequestContext context) {
    try {
      Optional<Peer> ofServlet = HAS_SERVLETS ? RestEasyServletPeer.find() : Optional.empty();
      return ofServlet.isEmpty() && context instanceof PreMatchContainerRequestContext request
          ? Peer.ofNullable(request.getHttpRequest().getRemoteAddress())
          : ofServlet;
    } catch (RuntimeException | LinkageError notKnown) {
      return Optional.empty(); // a server that doesn't implement it throws
    }
  }

  @Override
  public boolean watch(WatchedRequest request) {
    @Nullable HttpRequest served = ResteasyContext.getContextData(HttpRequest.class);
    @Nullable Cleanables cleanables = ResteasyContext.getContextData(Cleanables.class);
    if (served == null || cleanables == null) {
      return false;
    }
    request.bindHere();
    cleanables.addCleanable(
        () -> {
          request.leave();
          if (!served.getAsyncContext().isSuspended()) {
            request.unanswered((name, value) -> {});
          }
        });
    return true;
  }

  @Override
  public boolean reportsEachEnd() {
    return true;
  }

  @Override
  public Optional<List<ContainerRequestFilter>> requestFilters(ContainerRequestContext context) {
    return context instanceof PostMatchContainerRequestContext request
        ? Optional.of(List.of(request.getResourceMethod().getRequestFilters()))
        : Optional.empty();
  }

  @Override
  public Optional<List<ContainerRequestFilter>> filtersBeforeMatching(
      ContainerRequestContext context) {
    return deployment
        .map(WeakReference::get)
        .map(each -> each.getProviderFactory().getContainerRequestFilterRegistry().preMatch())
        .map(List::of);
  }

  @Override
  public boolean mayReachResource(ContainerRequestContext context) {
    return !(context instanceof PreMatchContainerRequestContext request)
        || RestEasyResources.mayReach(request.getHttpRequest().getUri());
  }

  @Override
  public List<Class<?>> resources() {
    @Nullable ResteasyDeployment deployment =
        ResteasyContext.getContextData(ResteasyDeployment.class);
    if (deployment == null) {
      return List.of();
    }
    List<Class<?>> resources = new ArrayList<>();
    // The lists hold what the Application returned too.
    for (Class<?> each : deployment.getActualResourceClasses()) {
      resources.add(each);
    }
    deployment.getResources().forEach(each -> resources.add(each.getClass()));
    Stream.of(deployment.getResourceClasses(), deployment.getScannedResourceClasses())
        .flatMap(List::stream)
        .flatMap(name -> loaded(name.trim()).stream())
        .forEach(resources::add);
    return List.copyOf(resources);
  }

  /** RESTEasy fails to write a body in an event loop if any interceptor wraps it. */
  @Override
  public boolean allowsWriterInterceptors() {
    return isInServletContainer();
  }

  /** RESTEasy's servers without servlets resume a request without its security context. */
  @Override
  public boolean showsUserToEnd() {
    return isInServletContainer();
  }

  private static boolean isInServletContainer() {
    return ClassPresence.isPresent(ClassPresence.SERVLET) && ServletEnd.isInContainer();
  }

  static void endStopped() {
    STARTED.removeIf(each -> each.get() == null || each.get().endIfStopped());
  }

  /**
   * Runs it when the servlet container reports the end, else when the next application starts after
   * this one's deployment was stopped.
   */
  @Override
  public void whenEnded(Runnable action) {
    ended = action;
    deployment =
        Optional.ofNullable(ResteasyContext.getContextData(ResteasyDeployment.class))
            .map(WeakReference::new);
    STARTED.add(new WeakReference<>(this));
    if (ClassPresence.isPresent(ClassPresence.SERVLET)) {
      ServletEnd.add(action);
    }
  }

  private boolean endIfStopped() {
    boolean stopped = deployment.map(WeakReference::get).filter(RestEasy::isStopped).isPresent();
    if (stopped) {
      ended.run();
    }
    return stopped;
  }

  /** The executors of a deployment are shut down with it, and can't be had any more. */
  private static boolean isStopped(ResteasyDeployment deployment) {
    try {
      return deployment.getScheduledExecutorService() == null;
    } catch (RuntimeException stopped) {
      return true;
    } catch (LinkageError olderVersion) {
      return false;
    }
  }

  /** Loads a class as RESTEasy will; empty if it is missing, which RESTEasy reports. */
  private static Optional<Class<?>> loaded(String name) {
    try {
      @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();
      return Optional.of(Class.forName(name, false, loader));
    } catch (ClassNotFoundException | LinkageError missing) {
      return Optional.empty();
    }
  }

  @Override
  public boolean isOnEventLoop(ContainerRequestContext context) {
    if (!(context instanceof PreMatchContainerRequestContext request)) {
      return false;
    }
    String server = request.getHttpRequest().getClass().getName();
    return EVENT_LOOPS.stream().anyMatch(server::startsWith);
  }

  @Override
  public <T> boolean await(
      ContainerRequestContext context,
      CompletionStage<T> decision,
      Function<T, Optional<Response>> then,
      Around around) {
    PreMatchContainerRequestContext request = (PreMatchContainerRequestContext) context;
    CompletableFuture<T> known = decision.toCompletableFuture();
    if (known.isDone()) {
      then.apply(known.join()).ifPresent(request::abortWith);
      return true;
    }
    Executor loop = EventLoop.current();
    request.suspend();
    var unused =
        known.thenAcceptAsync(value -> around.run(() -> proceed(request, then.apply(value))), loop);
    return true;
  }

  private static void proceed(PreMatchContainerRequestContext request, Optional<Response> aborted) {
    if (aborted.isPresent()) {
      request.abortWith(aborted.get());
    } else {
      request.resume();
    }
  }
}
