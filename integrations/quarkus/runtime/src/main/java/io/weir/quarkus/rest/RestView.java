package io.weir.quarkus.rest;

import io.quarkus.runtime.BlockingOperationControl;
import io.quarkus.runtime.ExecutorRecorder;
import io.vertx.ext.web.RoutingContext;
import io.weir.adapter.BodyReader;
import io.weir.adapter.ReadBody;
import io.weir.adapter.RequestValues;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.Principal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.server.core.Deployment;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.core.multipart.FormData;
import org.jboss.resteasy.reactive.server.handlers.FormBodyHandler;
import org.jboss.resteasy.reactive.server.handlers.ResourceRequestFilterHandler;
import org.jboss.resteasy.reactive.server.spi.ServerRestHandler;
import org.jspecify.annotations.Nullable;

/** A request as filters of Quarkus REST have left it. */
record RestView(ResteasyReactiveRequestContext rest, RoutingContext routing)
    implements RequestView {
  @Override
  public String method() {
    return rest.getMethod();
  }

  @Override
  public String path() {
    return rest.getPath();
  }

  @Override
  @SuppressWarnings("unchecked") // `getHeader(name, false)` returns a list
  public List<String> headers(String name) {
    return RequestValues.read(() -> (List<String>) rest.getHeader(name, false)).orElse(List.of());
  }

  /** Reads the parameters of the connection's request, which Quarkus REST itself changes. */
  @Override
  public List<String> queries(String name) {
    return ArrivedView.queries(routing, name);
  }

  @Override
  public Optional<String> variable(String name) {
    return RequestValues.read(() -> rest.getUriInfo().getPathParameters().getFirst(name));
  }

  @Override
  public void eachField(BiConsumer<String, String> line) {
    if (mayBeRewritten(rest.getDeployment())) {
      RequestView.each(rest.getHttpHeaders().getRequestHeaders(), line);
    } else {
      routing.request().headers().forEach(line);
    }
  }

  /** Returns whether filters may change requests before they are matched. */
  static boolean mayBeRewritten(Deployment deployment) {
    return deployment.getPreMatchHandlers().stream()
        .anyMatch(ResourceRequestFilterHandler.class::isInstance);
  }

  @Override
  public void eachQuery(BiConsumer<String, String> parameter) {
    ArrivedView.queries(routing).ifPresent(all -> all.forEach(parameter));
  }

  @Override
  public CompletionStage<@Nullable Principal> user() {
    return SignedInUser.of(rest::getSecurityContext, routing);
  }

  @Override
  public Optional<ReadBody> readBody(BodyReader reader) throws IOException {
    if (rest.getFormData() != null) {
      return Optional.of(reader.ofParameters(fields(rest.getFormData())));
    }
    return rest.hasInputStream() ? Optional.of(readStream(reader)) : Optional.empty();
  }

  private ReadBody readStream(BodyReader reader) throws IOException {
    InputStream stream = rest.getInputStream();
    if (!(stream instanceof ByteArrayInputStream)
        && !BlockingOperationControl.isBlockingAllowed()) {
      return reader.taken();
    }
    ReadBody body = reader.read(() -> stream, Optional.empty());
    rest.setInputStream(RequestView.again(body, stream));
    return body;
  }

  /** Takes the fields of a form that Quarkus REST has read, and those of the query. */
  private Map<String, List<String>> fields(FormData form) {
    Map<String, List<String>> all = new HashMap<>();
    ArrivedView.queries(routing)
        .ifPresent(
            query ->
                query.names().forEach(name -> all.put(name, new ArrayList<>(query.getAll(name)))));
    form.forEach(
        name -> {
          List<String> values = all.computeIfAbsent(name, any -> new ArrayList<>());
          form.get(name).stream()
              .filter(each -> !each.isFileItem())
              .forEach(each -> values.add(each.getValue()));
        });
    return all;
  }

  @Override
  public boolean hasStill(ReadBody body) {
    return !rest.hasInputStream() || RequestView.hasStill(rest.getInputStream(), body);
  }

  @Override
  public void show(ReadBody body) {
    if (!body.isWhole()) {
      return;
    }
    if (!rest.hasInputStream()) {
      rest.setInputStream(new ByteArrayInputStream(body.bytes()));
    }
    if (rest.getFormData() == null
        && rest.getInputStream() instanceof ByteArrayInputStream
        && ExchangeBody.isForm(routing.request())) {
      parse(body.bytes());
    }
  }

  /**
   * Parses a form by the handler that comes in the chain, with its limits, in a thread that may
   * write files: in an event loop it would wait for bytes to arrive.
   */
  private void parse(byte[] form) {
    Stream.of(rest.getHandlers())
        .skip(rest.getPosition())
        .filter(FormBodyHandler.class::isInstance)
        .findFirst()
        .ifPresent(
            parser ->
                ResourceHandlers.await(
                    rest,
                    CompletableFuture.runAsync(
                        () -> {
                          parse(parser);
                          rest.setInputStream(new ByteArrayInputStream(form));
                        },
                        BlockingOperationControl.isBlockingAllowed()
                            ? Runnable::run
                            : ExecutorRecorder.getCurrent())));
  }

  private void parse(ServerRestHandler parser) {
    try {
      parser.handle(rest);
    } catch (Exception malformed) {
      throw new CompletionException(malformed);
    }
  }
}
