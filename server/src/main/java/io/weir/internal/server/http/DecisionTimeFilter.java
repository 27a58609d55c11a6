package io.weir.internal.server.http;

import io.micrometer.core.instrument.Timer;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Measures how long requests for a decision take, until their answer is written. */
final class DecisionTimeFilter implements Filter {
  private static final Set<String> DECISIONS =
      Set.of("/v1/ratelimit/check", "/v1/ratelimit/forward");

  private final Timer time;

  DecisionTimeFilter(Timer time) {
    this.time = time;
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (!DECISIONS.contains(((HttpServletRequest) request).getRequestURI())) {
      chain.doFilter(request, response);
      return;
    }
    long before = System.nanoTime();
    chain.doFilter(request, response);
    if (request.isAsyncStarted()) {
      request.getAsyncContext().addListener(new Completion(before));
    } else {
      record(before);
    }
  }

  private void record(long before) {
    time.record(System.nanoTime() - before, TimeUnit.NANOSECONDS);
  }

  private final class Completion implements AsyncListener {
    private final long before;

    Completion(long before) {
      this.before = before;
    }

    @Override
    public void onComplete(AsyncEvent event) {
      record(before);
    }

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {}
  }
}
