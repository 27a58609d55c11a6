package io.weir.internal.server.http;

import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Serves metrics without a sign-in on the port of metrics, and nothing else there. Requests to
 * other ports are passed on.
 */
final class MetricsPortHandler extends Handler.Wrapper {
  static final String CONNECTOR = "metrics";

  private static final int NOT_FOUND = 404;

  private final Supplier<String> metrics;

  MetricsPortHandler(Supplier<String> metrics) {
    this.metrics = metrics;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    if (!CONNECTOR.equals(request.getConnectionMetaData().getConnector().getName())) {
      return super.handle(request, response, callback);
    }
    String path = Request.getPathInContext(request);
    if (path.equals(MetricsServlet.PATH)) {
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, MetricsServlet.TYPE);
      Content.Sink.write(response, true, metrics.get(), callback);
    } else {
      Response.writeError(request, response, callback, NOT_FOUND);
    }
    return true;
  }
}
