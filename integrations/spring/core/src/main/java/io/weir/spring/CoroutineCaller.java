package io.weir.spring;

import io.weir.adapter.LimitedRequest;
import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.ThreadContextElement;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.flow.FlowKt;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Hooks;

/**
 * Binds the request of a handler to each thread in which its coroutine runs, so that limited calls
 * know their caller after a suspension and in other dispatchers. Loaded only where {@link
 * SuspendFunctions#areCallable()}.
 *
 * <p>Safe for concurrent use.
 */
public final class CoroutineCaller extends AbstractCoroutineContextElement
    implements ThreadContextElement<LimitedRequest.Binding> {
  private static final CoroutineContext.Key<CoroutineCaller> KEY = new CoroutineContext.Key<>() {};

  /** True since Spring 7, which then binds what the Reactor context carries, and so the request. */
  private static final boolean SPRING_PROPAGATES =
      SpringClasses.find("org.springframework.core.PropagationContextElement") != null;

  private final RequestContext request;

  private CoroutineCaller(RequestContext request) {
    super(KEY);
    this.request = request;
  }

  /**
   * Returns the context for the coroutine of a suspend function that handles a request.
   *
   * @param given the one that the application has chosen; null if it has chosen none
   * @param request that of the handler
   * @return null if Spring's own is to be used, which binds the request
   */
  public static @Nullable CoroutineContext context(
      @Nullable CoroutineContext given, RequestContext request) {
    if (given == null && SPRING_PROPAGATES && Hooks.isAutomaticContextPropagationEnabled()) {
      return null;
    }
    CoroutineContext around = given == null ? Dispatchers.getUnconfined() : given;
    return around.plus(new CoroutineCaller(request));
  }

  /**
   * Binds a request wherever a flow is made.
   *
   * @param <T> what it emits
   * @param flow the result of a handler
   * @param request that of the handler
   * @return the same elements
   */
  public static <T> Flow<T> flow(Flow<T> flow, RequestContext request) {
    return FlowKt.flowOn(flow, new CoroutineCaller(request));
  }

  @Override
  public LimitedRequest.Binding updateThreadContext(CoroutineContext context) {
    return request.bind();
  }

  @Override
  public void restoreThreadContext(CoroutineContext context, LimitedRequest.Binding bound) {
    bound.close();
  }
}
