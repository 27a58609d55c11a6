package io.weir.compat.servlet;

import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Answers later, and ends as the query says. Counts only failures. */
final class Later extends CountingServlet {
  private static final long SHORT_MILLIS = 50;

  @Override
  @RateLimit(limit = 10, window = 60, name = "later", count = Count.FAILURES)
  protected void doGet(HttpServletRequest request, HttpServletResponse response) {
    AsyncContext async = request.startAsync();
    switch (String.valueOf(request.getQueryString())) {
      case "complete", "status=404" -> async.start(() -> finish(async));
      case "at-once" -> finish(async);
      case "dispatch" -> async.dispatch("/behind");
      case "again" -> async.dispatch("/x?complete");
      case "error" -> async.dispatch("/failing");
      case "throw" -> throw new IllegalStateException("on purpose");
      case "fallback" -> fallback(async);
      default -> async.setTimeout(SHORT_MILLIS);
    }
  }

  private void finish(AsyncContext async) {
    try {
      answer((HttpServletRequest) async.getRequest(), (HttpServletResponse) async.getResponse());
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    async.complete();
  }

  private void fallback(AsyncContext async) {
    async.setTimeout(SHORT_MILLIS);
    async.addListener(
        new AsyncListener() {
          @Override
          public void onTimeout(AsyncEvent event) {
            finish(event.getAsyncContext());
          }

          @Override
          public void onComplete(AsyncEvent event) {}

          @Override
          public void onError(AsyncEvent event) {}

          @Override
          public void onStartAsync(AsyncEvent event) {}
        });
  }
}
