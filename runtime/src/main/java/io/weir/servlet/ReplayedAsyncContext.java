package io.weir.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.ServletResponse;

/**
 * Shows threads of the application a request whose body was read for policies, in place of the
 * container's, whose body is gone.
 *
 * <p>As safe for concurrent use as the container's.
 */
final class ReplayedAsyncContext implements AsyncContext {
  private final AsyncContext context;
  private final ServletRequest replayed;

  ReplayedAsyncContext(AsyncContext context, ServletRequest replayed) {
    this.context = context;
    this.replayed = replayed;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // another request that shows a body is another one
  public ServletRequest getRequest() {
    ServletRequest request = context.getRequest();
    ServletRequest each = request;
    while (each instanceof ServletRequestWrapper wrapper) {
      if (each == replayed) {
        return request;
      }
      each = wrapper.getRequest();
    }
    return replayed;
  }

  @Override
  public ServletResponse getResponse() {
    return context.getResponse();
  }

  @Override
  public boolean hasOriginalRequestAndResponse() {
    return context.hasOriginalRequestAndResponse();
  }

  @Override
  public void dispatch() {
    context.dispatch();
  }

  @Override
  public void dispatch(String path) {
    context.dispatch(path);
  }

  @Override
  public void dispatch(ServletContext application, String path) {
    context.dispatch(application, path);
  }

  @Override
  public void complete() {
    context.complete();
  }

  @Override
  public void start(Runnable task) {
    context.start(task);
  }

  @Override
  public void addListener(AsyncListener listener) {
    context.addListener(listener);
  }

  @Override
  public void addListener(
      AsyncListener listener, ServletRequest request, ServletResponse response) {
    context.addListener(listener, request, response);
  }

  @Override
  public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
    return context.createListener(type);
  }

  @Override
  public void setTimeout(long millis) {
    context.setTimeout(millis);
  }

  @Override
  public long getTimeout() {
    return context.getTimeout();
  }
}
