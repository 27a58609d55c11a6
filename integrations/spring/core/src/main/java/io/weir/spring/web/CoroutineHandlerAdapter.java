package io.weir.spring.web;

import io.weir.spring.SuspendFunctions;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.ServletInvocableHandlerMethod;

/**
 * Calls the methods of controllers as Spring MVC does, and lets the coroutines of Kotlin's suspend
 * functions and flows know their request. For applications with {@code kotlinx-coroutines-reactor}
 * and {@code kotlin-reflect}.
 *
 * <p>Safe for concurrent use.
 */
public final class CoroutineHandlerAdapter extends RequestMappingHandlerAdapter {
  /** Calls suspend functions and methods that return a flow with their request. */
  public CoroutineHandlerAdapter() {}

  @Override
  protected ServletInvocableHandlerMethod createInvocableHandlerMethod(HandlerMethod handler) {
    return SuspendFunctions.canCall(handler.getMethod())
            || CoroutineHandlerMethod.returnsFlow(handler)
        ? new CoroutineHandlerMethod(handler)
        : super.createInvocableHandlerMethod(handler);
  }
}
