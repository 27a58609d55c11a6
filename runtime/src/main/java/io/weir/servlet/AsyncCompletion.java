package io.weir.servlet;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** Completes a request once its asynchronous response has ended. */
final class AsyncCompletion implements AsyncListener {
  private final RequestLifecycle dispatched;
  private final HttpServletResponse response;

  private AsyncCompletion(RequestLifecycle dispatched, HttpServletResponse response) {
    this.dispatched = dispatched;
    this.response = response;
  }

  static void await(
      RequestLifecycle dispatched, HttpServletRequest request, HttpServletResponse response) {
    try {
      request.getAsyncContext().addListener(new AsyncCompletion(dispatched, response));
    } catch (IllegalStateException alreadyCompleted) {
      dispatched.completed(response.getStatus());
    }
  }

  @Override
  public void onComplete(AsyncEvent event) {
    dispatched.completed(response.getStatus());
  }

  /** Does nothing: the application or the container handles the time-out and completes. */
  @Override
  public void onTimeout(AsyncEvent event) {}

  @Override
  public void onError(AsyncEvent event) {
    dispatched.failed();
  }

  /** Adds itself again, since starting another asynchronous cycle removes all listeners. */
  @Override
  public void onStartAsync(AsyncEvent event) {
    event.getAsyncContext().addListener(this);
  }
}
