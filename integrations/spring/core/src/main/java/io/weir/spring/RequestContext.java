package io.weir.spring;

import io.weir.adapter.LimitedRequest;
import io.weir.adapter.RequestHolder;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Carries a request of WebFlux through its reactive chain, as the value of {@link #KEY} in the
 * Reactor context: a limited call that is subscribed to in another thread finds its caller there.
 *
 * <p>Safe for concurrent use.
 */
public final class RequestContext implements RequestHolder {
  /** The key in the Reactor context. */
  public static final Object KEY = RequestContext.class;

  private final LimitedRequest request;

  /** Learns the user of a subscriber, for calls that are made before the handler is known. */
  private final Function<ContextView, Mono<Void>> user;

  /**
   * Finds the request that a subscriber belongs to.
   *
   * @param context of the subscriber
   * @return empty outside of a request of WebFlux
   */
  public static Optional<LimitedRequest> find(ContextView context) {
    return context
        .getOrEmpty(KEY)
        .filter(RequestContext.class::isInstance)
        .map(each -> ((RequestContext) each).limitedRequest());
  }

  /**
   * Carries a request.
   *
   * @param request begun, and not ended yet
   */
  public RequestContext(LimitedRequest request) {
    this(request, context -> Mono.empty());
  }

  /**
   * Carries a request whose user isn't known yet.
   *
   * @param request begun, and not ended yet
   * @param user lets the request know the user that a subscriber's context shows
   */
  public RequestContext(LimitedRequest request, Function<ContextView, Mono<Void>> user) {
    this.request = request;
    this.user = user;
  }

  /**
   * Lets the request know its user, for a limited call.
   *
   * @param context of the subscriber
   * @return ends when it does, in any thread; at once if the handler runs already
   */
  public Mono<Void> knowUser(ContextView context) {
    return user.apply(context);
  }

  @Override
  public LimitedRequest limitedRequest() {
    return request;
  }

  /**
   * Notes that the policies of a handler were decided for this request, so that layers around the
   * method don't charge its first execution again, in whatever thread.
   *
   * @param method the handler, which is about to run; null if it has no method to be read
   */
  public void decided(@Nullable Method method) {
    request.charged(method);
  }

  /**
   * Binds the request to this thread, so that limited calls know their caller.
   *
   * @return unbinds it; to be closed when the application has done its work in this thread
   */
  public LimitedRequest.Binding bind() {
    return request.bind(null);
  }

  /**
   * Hides the request from this thread, which does something that belongs to no request.
   *
   * @return shows it again; to be closed in this thread
   */
  public LimitedRequest.Binding hide() {
    return request.hide();
  }
}
