package io.weir.servlet;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/** Completes a request once its asynchronous response has ended. */
final class AsyncCompletion implements AsyncListener {
  private final @Nullable LimitedServletRequest limited;
  private final @Nullable HttpServletResponse response;

  /**
   * Makes one that does nothing. WildFly registers every listener of this kind in an application as
   * a component, and warns of those that it couldn't instantiate so.
   */
  public AsyncCompletion() {
    this.limited = null;
    this.response = null;
  }

  private AsyncCompletion(LimitedServletRequest limited, HttpServletResponse response) {
    this.limited = limited;
    this.response = response;
  }

  static void await(
      LimitedServletRequest limited, HttpServletRequest request, HttpServletResponse response) {
    try {
      request.getAsyncContext().addListener(new AsyncCompletion(limited, response));
    } catch (IllegalStateException alreadyCompleted) {
      limited.completed(response.getStatus());
    }
  }

  @Override
  public void onComplete(AsyncEvent event) {
    if (limited != null && response != null) {
      limited.completed(response.getStatus());
    }
  }

  /** Does nothing: the application or the container handles the time-out and completes. */
  @Override
  public void onTimeout(AsyncEvent event) {}

  @Override
  public void onError(AsyncEvent event) {
    if (limited != null) {
      limited.failed();
    }
  }

  /** Adds itself again, since starting another asynchronous cycle removes all listeners. */
  @Override
  public void onStartAsync(AsyncEvent event) {
    event.getAsyncContext().addListener(this);
  }
}
