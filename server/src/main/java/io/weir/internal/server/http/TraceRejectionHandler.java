package io.weir.internal.server.http;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Rejects TRACE, which servlets answer by echoing the request with its credentials. */
final class TraceRejectionHandler extends Handler.Wrapper {
  private static final int METHOD_NOT_ALLOWED = 405;

  TraceRejectionHandler(Handler handler) {
    super(handler);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    if (!HttpMethod.TRACE.is(request.getMethod())) {
      return super.handle(request, response, callback);
    }
    response.getHeaders().put(HttpHeader.ALLOW, "GET, HEAD, POST, PUT, DELETE, OPTIONS");
    Response.writeError(request, response, callback, METHOD_NOT_ALLOWED);
    return true;
  }
}
