package io.weir.internal.server.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/**
 * Writes problem documents for requests that Jetty rejects itself: malformed HTTP, ambiguous paths,
 * headers that are too long. They repeat nothing that the client has sent.
 */
final class ProblemErrorHandler extends ErrorHandler {
  ProblemErrorHandler() {
    setShowStacks(false);
    setShowCauses(false);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    int status = response.getStatus();
    ByteBuffer body = document(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/problem+json");
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    response.getHeaders().put("X-Content-Type-Options", "nosniff");
    response.write(true, body, callback);
    return true;
  }

  private static ByteBuffer document(int status) {
    String json = ProblemResponses.json(status, HttpStatus.getMessage(status), "");
    return ByteBuffer.wrap(json.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  @SuppressWarnings("removal") // Jetty 12.0 calls only this before there is a request
  public ByteBuffer badMessageError(int status, String reason, HttpFields.Mutable fields) {
    fields.put(HttpHeader.CONTENT_TYPE, "application/problem+json");
    return document(status);
  }
}
