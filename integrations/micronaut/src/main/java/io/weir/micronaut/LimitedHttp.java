package io.weir.micronaut;

import io.micronaut.http.HttpRequest;
import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.RequestHolder;
import io.weir.micronaut.LimitedRoutes.LimitedRoute;
import java.util.Optional;
import reactor.core.Disposable;
import reactor.core.Disposables;

/**
 * The limited request of one HTTP request, which the filters leave to each other as an attribute.
 *
 * <p>Safe for concurrent use, as far as the filters come one after the other.
 */
final class LimitedHttp implements RequestHolder {
  private final LimitedRequest request;
  private final HttpRequestInfo info;
  private final LimitedEndpoint endpoint;
  private final LimitedRoute route;

  /** The status of the response that was begun; 0 before. */
  private volatile int status;

  private volatile boolean whole;

  private volatile Runnable unwatch = () -> {};

  /** Waits for the first part of a stream, if the response is one. */
  private final Disposable.Swap firstPart = Disposables.swap();

  LimitedHttp(
      LimitedRequest request, HttpRequestInfo info, LimitedEndpoint endpoint, LimitedRoute route) {
    this.request = request;
    this.info = info;
    this.endpoint = endpoint;
    this.route = route;
  }

  /** Finds what a filter before has left. */
  static Optional<LimitedHttp> in(HttpRequest<?> http) {
    return http.getAttribute(LimitedRequest.ATTRIBUTE)
        .filter(LimitedHttp.class::isInstance)
        .map(LimitedHttp.class::cast);
  }

  @Override
  public LimitedRequest limitedRequest() {
    return request;
  }

  HttpRequestInfo info() {
    return info;
  }

  LimitedEndpoint endpoint() {
    return endpoint;
  }

  /** Notes that all policies were decided, and the handler is about to run. */
  void markDecided() {
    request.charged(route.method());
  }

  LimitedRequest.Binding bind() {
    return request.bind(null);
  }

  /** Takes what waits for the first part of a stream, which nobody wants if the client leaves. */
  void awaits(Disposable first) {
    firstPart.update(first);
  }

  /**
   * Notes the response that is sent.
   *
   * @param code its status
   * @param isWhole whether it is complete, so that nothing of it can fail any more but its sending
   */
  void begins(int code, boolean isWhole) {
    status = code;
    whole = isWhole;
  }

  /** Ends the request when its connection closes, if that comes first. */
  void watch(HttpRequest<?> http) {
    unwatch = ServerConnection.whenClosed(http, this::ended);
  }

  /** Ends the request by its response. */
  void completed(int code) {
    unwatch.run();
    request.completed(code);
  }

  /** Ends the request, since its response can't be written. */
  void failed() {
    unwatch.run();
    request.failed();
  }

  /** Ends a request that hasn't ended with its response: it has failed unless that was whole. */
  void ended() {
    unwatch.run();
    if (status == 0) {
      firstPart.dispose();
    }
    if (whole) {
      request.completed(status);
    } else {
      request.aborted(status);
    }
  }
}
