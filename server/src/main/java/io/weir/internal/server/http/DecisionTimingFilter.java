package io.weir.internal.server.http;

import io.weir.internal.server.metrics.DecisionTimer;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;

/**
 * Measures how long requests for a decision take, until their response is written.
 *
 * <p>Safe for concurrent use.
 */
final class DecisionTimingFilter implements Filter {
  private final DecisionTimer timer;

  DecisionTimingFilter(DecisionTimer timer) {
    this.timer = timer;
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    long start = timer.start();
    chain.doFilter(request, response);
    if (request.isAsyncStarted()) {
      request.getAsyncContext().addListener(new Completion(start));
    } else {
      timer.stop(start);
    }
  }

  private final class Completion implements AsyncListener {
    private final long start;

    Completion(long start) {
      this.start = start;
    }

    @Override
    public void onComplete(AsyncEvent event) {
      timer.stop(start);
    }

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {}
  }
}
