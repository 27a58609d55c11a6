package io.weir.spring.web;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** Ends a request once its asynchronous response has ended. */
final class MvcCompletion implements AsyncListener {
  private final MvcRequest limited;
  private final HttpServletResponse response;

  private MvcCompletion(MvcRequest limited, HttpServletResponse response) {
    this.limited = limited;
    this.response = response;
  }

  /** Ends a request now, or once its asynchronous response has ended. */
  static void end(MvcRequest limited, HttpServletRequest request, HttpServletResponse response) {
    limited.leave(request);
    if (request.isAsyncStarted()) {
      await(limited, request, response);
    } else {
      limited.restoreHeaders(response);
      limited.completed(response.getStatus());
    }
  }

  private static void await(
      MvcRequest limited, HttpServletRequest request, HttpServletResponse response) {
    try {
      request.getAsyncContext().addListener(new MvcCompletion(limited, response));
    } catch (IllegalStateException alreadyCompleted) {
      limited.completed(response.getStatus());
    }
  }

  @Override
  public void onComplete(AsyncEvent event) {
    limited.completed(response.getStatus());
  }

  /** Does nothing: Spring MVC answers the time-out. */
  @Override
  public void onTimeout(AsyncEvent event) {}

  @Override
  public void onError(AsyncEvent event) {
    limited.failed();
  }

  /** Adds itself again, since starting another asynchronous cycle removes all listeners. */
  @Override
  public void onStartAsync(AsyncEvent event) {
    event.getAsyncContext().addListener(this);
  }
}
