package io.weir.internal.server.http;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Answers probes in the thread that has read the head of the request, and passes all other requests
 * on. Those threads never block, so probes are answered even if all request threads are busy.
 */
final class ProbeHandler extends Handler.Wrapper {
  private static final int METHOD_NOT_ALLOWED = 405;

  private final ConnectionWatchdog watchdog;
  private final Health health;

  ProbeHandler(ConnectionWatchdog watchdog, Health health, Handler others) {
    super(others);
    this.watchdog = watchdog;
    this.health = health;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    if (!watchdog.begin(request)) {
      callback.failed(new EofException("an earlier response couldn't be written"));
      return true;
    }
    String path = Request.getPathInContext(request);
    if (!path.equals(HealthResponse.LIVE) && !path.equals(HealthResponse.READY)) {
      return super.handle(request, response, callback);
    }
    if (!HttpMethod.GET.is(request.getMethod()) && !HttpMethod.HEAD.is(request.getMethod())) {
      response.getHeaders().put(HttpHeader.ALLOW, "GET, HEAD");
      Response.writeError(request, response, callback, METHOD_NOT_ALLOWED);
      return true;
    }
    HealthResponse answer = HealthResponse.of(path, health);
    response.setStatus(answer.status());
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    response.getHeaders().put("X-Content-Type-Options", "nosniff");
    if (health.isStopping()) {
      response.getHeaders().put(HttpHeader.CONNECTION, "close");
    }
    Content.Sink.write(response, true, answer.json(), callback);
    return true;
  }
}
