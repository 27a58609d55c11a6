package io.weir.micronaut;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.async.propagation.ReactorPropagation;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.order.Ordered;
import io.micronaut.core.propagation.MutablePropagatedContext;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.body.MessageBodyWriter;
import io.micronaut.http.context.ServerHttpRequestContext;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.web.router.RouteAttributes;
import io.micronaut.web.router.Router;
import io.micronaut.web.router.UriRouteMatch;
import io.weir.adapter.Adapter;
import io.weir.adapter.HeaderField;
import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.Refusal;
import io.weir.adapter.RequestValues;
import io.weir.micronaut.LimitedRoutes.LimitedRoute;
import io.weir.spi.DecisionPhase;
import jakarta.inject.Named;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/**
 * Limits requests: before the sign-in, so that sign-ins which are rejected count, and after it. No
 * thread waits for the store.
 *
 * <p>Micronaut matches the route before its filters run, and maps exceptions before its response
 * filters do. So the first filter knows the handler, and one response filter sees every end.
 *
 * <p>Safe for concurrent use.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Requires(classes = Router.class, beans = Router.class)
final class RateLimitFilter {
  /** Runs after those for metrics, CORS and tracing, so that refusals have what these add. */
  static final int BEFORE_SIGN_IN = 19_501;

  /** Runs after all filters that could sign a user in. */
  static final int AFTER_SIGN_IN = Ordered.LOWEST_PRECEDENCE;

  private static final CompletionStage<Optional<MutableHttpResponse<?>>> PASS =
      CompletableFuture.completedFuture(Optional.empty());

  private final Adapter adapter;
  private final LimitedRoutes routes;
  private final ConversionService conversion;
  private final ExecutorService threads;

  RateLimitFilter(
      Adapter adapter,
      LimitedRoutes routes,
      ConversionService conversion,
      @Named(TaskExecutors.BLOCKING) ExecutorService threads) {
    this.adapter = adapter;
    this.routes = routes;
    this.conversion = conversion;
    this.threads = threads;
  }

  @RequestFilter
  @Order(BEFORE_SIGN_IN)
  CompletionStage<Optional<MutableHttpResponse<?>>> beforeSignIn(
      HttpRequest<?> http, MutablePropagatedContext context) {
    HttpRequest<?> arrived = arrived(http);
    if (isFree(arrived)) {
      return PASS;
    }
    LimitedHttp limited = begin(arrived);
    limited.info().setLatest(http);
    arrived.setAttribute(LimitedRequest.ATTRIBUTE, limited);
    http.setAttribute(LimitedRequest.ATTRIBUTE, limited);
    limited.watch(arrived);
    context.add(new CallerContext(limited));
    return decide(arrived, limited, DecisionPhase.BEFORE_AUTHENTICATION);
  }

  /** Finds the request that has the route and the connection, if an earlier filter replaced it. */
  private static HttpRequest<?> arrived(HttpRequest<?> http) {
    return match(http) == null
        ? PropagatedContext.getOrEmpty()
            .find(ServerHttpRequestContext.class)
            .<HttpRequest<?>>map(ServerHttpRequestContext::httpRequest)
            .orElse(http)
        : http;
  }

  @RequestFilter
  @Order(AFTER_SIGN_IN)
  CompletionStage<Optional<MutableHttpResponse<?>>> afterSignIn(HttpRequest<?> http) {
    @Nullable LimitedHttp limited = begun(http);
    if (limited == null) {
      return PASS;
    }
    limited.info().setLatest(http);
    limited.markDecided();
    if (limited.endpoint().decides(DecisionPhase.AFTER_AUTHENTICATION)) {
      limited.limitedRequest().keep(); // the filters between have run
    }
    return decide(http, limited, DecisionPhase.AFTER_AUTHENTICATION);
  }

  /** Finds the request also where a filter has replaced it by one without attributes. */
  private static @Nullable LimitedHttp begun(HttpRequest<?> http) {
    return LimitedHttp.in(http)
        .or(
            () ->
                PropagatedContext.getOrEmpty()
                    .find(CallerContext.class)
                    .map(CallerContext::limited))
        .orElse(null);
  }

  /** Returns whether a browser asks if a page of another origin may send its request. */
  private static boolean isFree(HttpRequest<?> http) {
    return http.getMethod() == HttpMethod.OPTIONS
        && match(http) == null
        && !RequestValues.mayCarryCredential(
            http.getHeaders().names(),
            RequestValues.read(() -> http.getUri().getRawQuery()).orElse(null));
  }

  private LimitedHttp begin(HttpRequest<?> http) {
    @Nullable UriRouteMatch<?, ?> match = match(http);
    LimitedRoute route = match == null ? routes.withoutRoute() : routes.of(match.getRouteInfo());
    LimitedEndpoint endpoint = route.endpoint();
    if (adapter.limitsPaths()) {
      String path = RequestValues.read(() -> http.getUri().getPath()).orElse("/");
      endpoint = endpoint.and(adapter.endpoint(path, true));
    }
    HttpRequestInfo info = new HttpRequestInfo(adapter, http, route, match);
    LimitedRequest request =
        adapter.begin(info, http.getAttribute(LimitedRequest.ATTRIBUTE).orElse(null));
    request.countInFlight();
    request.moveTo(endpoint, info);
    return new LimitedHttp(request, info, endpoint, route);
  }

  private static @Nullable UriRouteMatch<?, ?> match(HttpRequest<?> http) {
    return RouteAttributes.getRouteMatch(http).orElse(null) instanceof UriRouteMatch<?, ?> match
        ? match
        : null;
  }

  private CompletionStage<Optional<MutableHttpResponse<?>>> decide(
      HttpRequest<?> http, LimitedHttp limited, DecisionPhase phase) {
    if (!limited.endpoint().decides(phase)) {
      return PASS;
    }
    LimitedRequest request = limited.limitedRequest();
    CompletableFuture<Optional<Refusal>> decided =
        request
            .decideAsync(phase, adapter.callsApplication() ? this::execute : Runnable::run)
            .toCompletableFuture();
    if (decided.isDone()) {
      return CompletableFuture.completedFuture(answer(request, decided.join()));
    }
    return decided.thenApplyAsync(refusal -> answer(request, refusal), goesOn(http));
  }

  /** Returns what goes on with a request after another thread has decided it. */
  private Executor goesOn(HttpRequest<?> http) {
    @Nullable Executor loop = ServerConnection.eventLoop(http);
    return loop == null ? this::execute : loop;
  }

  /** Runs a task in a thread that may block; in this one if the application ends. */
  private void execute(Runnable task) {
    try {
      threads.execute(task);
    } catch (RejectedExecutionException ended) {
      task.run();
    }
  }

  private static Optional<MutableHttpResponse<?>> answer(
      LimitedRequest request, Optional<Refusal> refusal) {
    return refusal.map(each -> answer(request, each));
  }

  private static MutableHttpResponse<?> answer(LimitedRequest request, Refusal refusal) {
    request.answered(refusal);
    MutableHttpResponse<byte[]> response =
        HttpResponse.<byte[]>status(refusal.status(), "").body(refusal.bytes());
    put(refusal.headers(), response);
    return response.contentType(refusal.contentType());
  }

  private static void put(List<HeaderField> fields, MutableHttpResponse<?> response) {
    fields.forEach(each -> response.getHeaders().set(each.name(), each.value()));
  }

  /**
   * Writes the header fields, and ends the request with its response. A stream begins with its
   * first part, so that the refusal of a limited call can still take its place.
   */
  @ResponseFilter
  @Order(Ordered.HIGHEST_PRECEDENCE)
  CompletionStage<MutableHttpResponse<?>> end(
      HttpRequest<?> http, MutableHttpResponse<?> response) {
    @Nullable LimitedHttp limited = begun(http);
    if (limited == null) {
      return CompletableFuture.completedFuture(response);
    }
    @Nullable Throwable thrown = RouteAttributes.getException(response).orElse(null);
    if (thrown != null && Refusal.thrownIn(thrown).isPresent()) {
      return refuse(http, limited, response, thrown);
    }
    @Nullable Object body = response.body();
    return body != null && Publishers.isConvertibleToPublisher(body)
        ? begin(http, limited, response, Publishers.convertToPublisher(conversion, body))
        : CompletableFuture.completedFuture(end(limited, response));
  }

  private static MutableHttpResponse<?> end(LimitedHttp limited, MutableHttpResponse<?> response) {
    LimitedRequest request = limited.limitedRequest();
    put(request.headers(), response);
    limited.begins(response.code(), true);
    if (!request.needsOutcome() || !isJudgedAsWritten(limited, response)) {
      limited.completed(response.code());
    }
    return response;
  }

  /** Lets the writer of the body end the request, if the response has one that will be used. */
  @SuppressWarnings("unchecked") // Micronaut gives the writer nothing but the body
  private static boolean isJudgedAsWritten(LimitedHttp limited, MutableHttpResponse<?> response) {
    @Nullable Object body = response.body();
    @Nullable MessageBodyWriter<?> writer = response.getBodyWriter().orElse(null);
    if (body == null
        || writer == null
        || RouteAttributes.getRouteInfo(response)
            .filter(each -> each.getResponseBodyType().isInstance(body))
            .isEmpty()) {
      return false;
    }
    ((MutableHttpResponse<Object>) response)
        .bodyWriter(new OutcomeWriter((MessageBodyWriter<Object>) writer, limited));
    return true;
  }

  /** Answers by the refusal of a limited call. To make it may take a call to the store. */
  private CompletionStage<MutableHttpResponse<?>> refuse(
      HttpRequest<?> http, LimitedHttp limited, MutableHttpResponse<?> response, Throwable thrown) {
    LimitedRequest request = limited.limitedRequest();
    return CompletableFuture.supplyAsync(() -> request.refusalIn(thrown), this::execute)
        .thenApplyAsync(
            refusal ->
                end(limited, refusal.isPresent() ? answer(request, refusal.get()) : response),
            goesOn(http));
  }

  private CompletionStage<MutableHttpResponse<?>> begin(
      HttpRequest<?> http,
      LimitedHttp limited,
      MutableHttpResponse<?> response,
      Publisher<?> stream) {
    PropagatedContext propagated = PropagatedContext.getOrEmpty();
    CompletableFuture<MutableHttpResponse<?>> begun = new CompletableFuture<>();
    limited.awaits(
        Flux.from(stream)
            .switchOnFirst(
                (first, all) -> {
                  @Nullable Throwable thrown = first.getThrowable();
                  if (thrown != null && Refusal.thrownIn(thrown).isPresent()) {
                    var unused =
                        refuse(http, limited, response, thrown).thenAccept(begun::complete);
                  } else {
                    begun.complete(response.body(watched(limited, response, all)));
                  }
                  return Flux.never(); // the server takes the parts
                })
            .contextWrite(context -> ReactorPropagation.addPropagatedContext(context, propagated))
            .subscribe());
    return begun;
  }

  private static Flux<?> watched(
      LimitedHttp limited, MutableHttpResponse<?> response, Flux<?> parts) {
    put(limited.limitedRequest().headers(), response);
    int status = response.code();
    limited.begins(status, false);
    return parts
        .doOnComplete(() -> limited.completed(status))
        .doOnError(failure -> limited.ended())
        .doOnCancel(limited::ended);
  }
}
