package io.weir.servlet;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** Waits for the response of a request that went on without its thread. */
final class AsyncCompletion implements AsyncListener {
  private final DispatchedRequest dispatched;
  private final HttpServletResponse response;

  private AsyncCompletion(DispatchedRequest dispatched, HttpServletResponse response) {
    this.dispatched = dispatched;
    this.response = response;
  }

  static void await(
      DispatchedRequest dispatched, HttpServletRequest request, HttpServletResponse response) {
    try {
      request.getAsyncContext().addListener(new AsyncCompletion(dispatched, response));
    } catch (IllegalStateException alreadyOver) {
      dispatched.completed(response.getStatus());
    }
  }

  @Override
  public void onComplete(AsyncEvent event) {
    dispatched.completed(response.getStatus());
  }

  /** Whoever handles the time-out decides how the response ends; then it is complete. */
  @Override
  public void onTimeout(AsyncEvent event) {}

  @Override
  public void onError(AsyncEvent event) {
    dispatched.failed();
  }

  /** Starting anew forgets all listeners. */
  @Override
  public void onStartAsync(AsyncEvent event) {
    event.getAsyncContext().addListener(this);
  }
}
