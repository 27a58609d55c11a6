package io.weir.spring.web;

import io.weir.spring.CoroutineCaller;
import io.weir.spring.RequestContext;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Method;
import kotlin.Unit;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.reactor.ReactorFlowKt;
import org.jspecify.annotations.Nullable;
import org.springframework.core.CoroutinesUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.mvc.method.annotation.ServletInvocableHandlerMethod;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One call of a handler that runs as a coroutine. Plain functions that it calls find the request
 * bound to their thread, suspend functions and publishers in the Reactor context.
 *
 * <p>Confine to its thread.
 */
final class CoroutineHandlerMethod extends ServletInvocableHandlerMethod {
  private @Nullable RequestContext caller;

  CoroutineHandlerMethod(HandlerMethod handler) {
    super(handler);
  }

  /** Returns whether a handler is no suspend function, but returns a flow. */
  static boolean returnsFlow(HandlerMethod handler) {
    return handler.getMethod().getReturnType() == Flow.class;
  }

  @Override
  public @Nullable Object invokeForRequest(
      NativeWebRequest request, @Nullable ModelAndViewContainer view, Object... provided)
      throws Exception {
    @Nullable HttpServletRequest http = request.getNativeRequest(HttpServletRequest.class);
    @Nullable MvcRequest begun = http == null ? null : MvcRequest.of(http);
    if (begun != null) {
      begun.knowUser();
      caller = new RequestContext(begun.limitedRequest());
    }
    return super.invokeForRequest(request, view, provided);
  }

  @Override
  protected @Nullable Object doInvoke(@Nullable Object... arguments) throws Exception {
    @Nullable Object result = super.doInvoke(arguments);
    RequestContext known = caller;
    return known != null && result instanceof Flow<?> flow
        ? carry(ReactorFlowKt.asFlux(CoroutineCaller.flow(flow, known)), known)
        : result;
  }

  @Override
  protected Object invokeSuspendingFunction(
      Method method, Object target, @Nullable Object[] arguments) {
    RequestContext known = caller;
    if (known == null) {
      return super.invokeSuspendingFunction(method, target, arguments);
    }
    CoroutineContext context = CoroutineCaller.context(null, known);
    if (context == null) {
      return carry(super.invokeSuspendingFunction(method, target, arguments), known);
    }
    Object result = CoroutinesUtils.invokeSuspendingFunction(context, method, target, arguments);
    return carry(
        result instanceof Mono<?> one ? one.mapNotNull(CoroutineHandlerMethod::unboxed) : result,
        known);
  }

  private static Object carry(Object result, RequestContext caller) {
    if (result instanceof Mono<?> one) {
      return one.contextWrite(before -> before.put(RequestContext.KEY, caller));
    }
    return result instanceof Flux<?> many
        ? many.contextWrite(before -> before.put(RequestContext.KEY, caller))
        : result;
  }

  /** Unwraps the object of a value class as Spring MVC does; null for nothing. */
  private static @Nullable Object unboxed(Object value) {
    @Nullable Object result = value;
    while (result != null && KotlinDetector.isInlineClass(result.getClass())) {
      Method unbox = ReflectionUtils.findMethod(result.getClass(), "unbox-impl");
      if (unbox == null) {
        return result;
      }
      ReflectionUtils.makeAccessible(unbox);
      result = ReflectionUtils.invokeMethod(unbox, result);
    }
    return result == Unit.INSTANCE ? null : result;
  }
}
