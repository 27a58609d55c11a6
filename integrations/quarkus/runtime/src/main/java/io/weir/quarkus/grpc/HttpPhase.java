package io.weir.quarkus.grpc;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.quarkus.arc.Arc;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import io.weir.adapter.LimitedRequest;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;

/**
 * Decides calls on Vert.x HTTP before its sign-in, which may reject a credential before gRPC has
 * the call. gRPC goes on with what was begun here.
 *
 * <p>Safe for concurrent use.
 */
final class HttpPhase implements Handler<RoutingContext> {
  private static final String CONTENT_TYPE = "application/grpc";
  private static final int OK = 200;

  /** Known with the first call, since it needs all services. */
  private volatile @Nullable GrpcLimits limits;

  /** Returns whether gRPC is on Vert.x HTTP. */
  static boolean isNeeded() {
    return !ConfigProvider.getConfig()
        .getOptionalValue("quarkus.grpc.server.use-separate-server", Boolean.class)
        .orElse(true);
  }

  @Override
  public void handle(RoutingContext routing) {
    @Nullable String type = routing.request().getHeader("content-type");
    if (type == null
        || !type.toLowerCase(Locale.ROOT).startsWith(CONTENT_TYPE)
        || routing.request().version() != HttpVersion.HTTP_2) {
      routing.next();
      return;
    }
    MethodDescriptor<?, ?> method = limits().method(routing.request().path().substring(1));
    if (method == null) {
      routing.next();
    } else {
      decide(routing, new HttpCall<>(routing.request(), method));
    }
  }

  private GrpcLimits limits() {
    GrpcLimits known = limits;
    if (known == null) {
      known = Arc.container().instance(GrpcLimits.class).get();
      limits = known;
    }
    return known;
  }

  private <Q, R> void decide(RoutingContext routing, HttpCall<Q, R> call) {
    CompletableFuture<ServerCall.Listener<Q>> started = new CompletableFuture<>();
    routing.addEndHandler( // has no effect on a call that has its status
        ended -> {
          var unused = started.thenAccept(ServerCall.Listener::onCancel);
        });
    started.complete(
        limits()
            .outermost()
            .interceptCall(
                call,
                HttpCall.metadata(routing.request()),
                (ServerCall<Q, R> begun, Metadata headers) -> {
                  CallContext.leave();
                  CallContext.request().ifPresent(request -> watch(routing, request));
                  routing.next();
                  return new ServerCall.Listener<Q>() {};
                }));
  }

  /** Reports the end of a call that gRPC never gets, as of one whose sign-in is rejected. */
  private static void watch(RoutingContext routing, LimitedRequest request) {
    routing.addHeadersEndHandler(
        any -> {
          if (routing.response().getStatusCode() != OK) {
            request
                .headers()
                .forEach(each -> routing.response().headers().set(each.name(), each.value()));
            request.completed(routing.response().getStatusCode());
          }
        });
  }
}
