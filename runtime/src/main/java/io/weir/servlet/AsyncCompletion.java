package io.weir.servlet;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;

/** Completes a request once its asynchronous response has ended. */
final class AsyncCompletion implements AsyncListener {
  private final Runnable completed;
  private final Runnable failed;

  /**
   * Makes one that does nothing. WildFly registers every listener of this kind in an application as
   * a component, and warns of those that it couldn't instantiate so.
   */
  public AsyncCompletion() {
    this(() -> {}, () -> {});
  }

  private AsyncCompletion(Runnable completed, Runnable failed) {
    this.completed = completed;
    this.failed = failed;
  }

  /**
   * Waits for the end of the response.
   *
   * @param completed runs at its end
   * @param failed runs before that if it fails
   */
  static void await(HttpServletRequest request, Runnable completed, Runnable failed) {
    try {
      request.getAsyncContext().addListener(new AsyncCompletion(completed, failed));
    } catch (IllegalStateException alreadyCompleted) {
      completed.run();
    }
  }

  @Override
  public void onComplete(AsyncEvent event) {
    completed.run();
  }

  /** Does nothing: the application or the container handles the time-out and completes. */
  @Override
  public void onTimeout(AsyncEvent event) {}

  @Override
  public void onError(AsyncEvent event) {
    failed.run();
  }

  /** Adds itself again, since starting another asynchronous cycle removes all listeners. */
  @Override
  public void onStartAsync(AsyncEvent event) {
    event.getAsyncContext().addListener(this);
  }
}
