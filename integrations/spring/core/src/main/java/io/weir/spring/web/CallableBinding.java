package io.weir.spring.web;

import io.weir.adapter.LimitedRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.async.CallableProcessingInterceptor;

/**
 * Binds a request to the thread in which Spring MVC runs the {@link Callable} or streaming body of
 * its handler, so that limited calls know the caller there.
 *
 * <p>Safe for concurrent use.
 */
final class CallableBinding implements CallableProcessingInterceptor {
  private static final String ATTRIBUTE = CallableBinding.class.getName();

  @Override
  public <T> void preProcess(NativeWebRequest request, Callable<T> task) {
    @Nullable HttpServletRequest http = request.getNativeRequest(HttpServletRequest.class);
    @Nullable MvcRequest limited = http == null ? null : MvcRequest.of(http);
    if (limited != null) {
      request.setAttribute(
          ATTRIBUTE, limited.limitedRequest().bind(null), RequestAttributes.SCOPE_REQUEST);
    }
  }

  @Override
  public <T> void postProcess(
      NativeWebRequest request, Callable<T> task, @Nullable Object concurrentResult) {
    if (request.getAttribute(ATTRIBUTE, RequestAttributes.SCOPE_REQUEST)
        instanceof LimitedRequest.Binding bound) {
      bound.close();
    }
  }
}
