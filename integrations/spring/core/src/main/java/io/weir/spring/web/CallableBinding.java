package io.weir.spring.web;

import io.weir.adapter.LimitedRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.async.CallableProcessingInterceptor;

/**
 * Binds a request to the thread in which Spring MVC runs the {@link Callable} or streaming body of
 * its handler, so that limited calls know the caller there.
 *
 * <p>Safe for concurrent use.
 */
final class CallableBinding implements CallableProcessingInterceptor {
  /**
   * That of the task which runs in a thread. It isn't an attribute of the request, which may have
   * ended before its task, by a time-out: then it has no attributes any more.
   */
  private static final ThreadLocal<LimitedRequest.Binding> BINDINGS = new ThreadLocal<>();

  @Override
  public <T> void preProcess(NativeWebRequest request, Callable<T> task) {
    @Nullable HttpServletRequest http = request.getNativeRequest(HttpServletRequest.class);
    @Nullable MvcRequest limited = http == null ? null : MvcRequest.of(http);
    if (limited != null) {
      BINDINGS.set(limited.limitedRequest().bind(null));
    }
  }

  @Override
  public <T> void postProcess(
      NativeWebRequest request, Callable<T> task, @Nullable Object concurrentResult) {
    LimitedRequest.@Nullable Binding bound = BINDINGS.get();
    if (bound != null) {
      BINDINGS.remove();
      bound.close();
    }
  }
}
