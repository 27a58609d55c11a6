package io.weir.quarkus.rest;

import io.vertx.ext.web.RoutingContext;
import io.weir.adapter.BodyReader;
import io.weir.adapter.ReadBody;
import io.weir.adapter.RequestValues;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.io.IOException;
import java.io.InputStream;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A request as filters of RESTEasy Classic have left it, in a worker thread. */
record ClassicView(ContainerRequestContext context, RoutingContext routing) implements RequestView {
  @Override
  public String method() {
    return context.getMethod();
  }

  @Override
  public String path() {
    return ArrivedView.plain(context.getUriInfo().getAbsolutePath().getRawPath());
  }

  @Override
  public List<String> headers(String name) {
    @Nullable List<String> lines = context.getHeaders().get(name);
    return lines == null ? List.of() : lines;
  }

  @Override
  public List<String> queries(String name) {
    return RequestValues.read(() -> context.getUriInfo().getQueryParameters())
        .map(all -> all.getOrDefault(name, List.of()))
        .orElseGet(() -> RequestValues.queries(routing.request().query(), name));
  }

  @Override
  public Optional<String> variable(String name) {
    return RequestValues.read(() -> context.getUriInfo().getPathParameters().getFirst(name));
  }

  @Override
  public void eachField(BiConsumer<String, String> line) {
    RequestView.each(context.getHeaders(), line);
  }

  @Override
  public void eachQuery(BiConsumer<String, String> parameter) {
    RequestValues.read(() -> context.getUriInfo().getQueryParameters())
        .ifPresent(all -> RequestView.each(all, parameter));
  }

  @Override
  public CompletionStage<@Nullable Principal> user() {
    return SignedInUser.of(context::getSecurityContext, routing);
  }

  @Override
  public Optional<ReadBody> readBody(BodyReader reader) throws IOException {
    InputStream stream = context.getEntityStream();
    ReadBody body = reader.read(() -> stream, Optional.empty());
    if (body.isWhole()
        && body.bytes().length == 0
        && ExchangeBody.announcesBody(routing.request())) {
      return Optional.of(reader.taken());
    }
    context.setEntityStream(RequestView.again(body, stream));
    return Optional.of(body);
  }

  @Override
  public boolean hasStill(ReadBody body) {
    return RequestView.hasStill(context.getEntityStream(), body);
  }

  /** Does nothing: RESTEasy has the body that was collected, or the one that was put back. */
  @Override
  public void show(ReadBody body) {}
}
