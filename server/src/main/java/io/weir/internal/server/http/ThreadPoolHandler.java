package io.weir.internal.server.http;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Serves requests in a pool of threads that may wait for the store. */
final class ThreadPoolHandler extends Handler.Wrapper {
  private static final int UNAVAILABLE = 503;

  private final Executor threads;

  ThreadPoolHandler(Executor threads, Handler handler) {
    super(handler);
    this.threads = threads;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    try {
      threads.execute(() -> serve(request, response, callback));
    } catch (RejectedExecutionException stopped) {
      Response.writeError(request, response, callback, UNAVAILABLE);
    }
    return true;
  }

  @SuppressWarnings("IllegalCatch") // as Jetty's own loop does
  private void serve(Request request, Response response, Callback callback) {
    try {
      if (!super.handle(request, response, callback)) {
        Response.writeError(request, response, callback, 404);
      }
    } catch (Throwable failed) {
      Response.writeError(request, response, callback, failed);
    }
  }

  /** Returns non-blocking, since this handler only passes requests on. */
  @Override
  public InvocationType getInvocationType() {
    return InvocationType.NON_BLOCKING;
  }
}
