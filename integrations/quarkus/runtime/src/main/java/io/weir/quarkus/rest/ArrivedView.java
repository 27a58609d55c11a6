package io.weir.quarkus.rest;

import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import io.weir.adapter.BodyReader;
import io.weir.adapter.ReadBody;
import io.weir.adapter.RequestValues;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request as it arrived.
 *
 * @param variables of the path, decoded, by their names
 */
record ArrivedView(RoutingContext routing, Map<String, String> variables) implements RequestView {
  private static final Pattern MATRIX_PARAMETERS = Pattern.compile(";[^/]*");

  @Override
  public String method() {
    return routing.request().method().name();
  }

  @Override
  public String path() {
    return plain(routing.normalizedPath());
  }

  /** Returns a path as resources are looked up by it: without matrix parameters. */
  static String plain(String path) {
    return path.indexOf(';') < 0 ? path : MATRIX_PARAMETERS.matcher(path).replaceAll("");
  }

  @Override
  public List<String> headers(String name) {
    return routing.request().headers().getAll(name);
  }

  @Override
  public List<String> queries(String name) {
    return queries(routing, name);
  }

  /** Reads a parameter in the query, whatever else of that is malformed. */
  static List<String> queries(RoutingContext routing, String name) {
    return RequestValues.read(() -> routing.queryParams().getAll(name))
        .orElseGet(() -> RequestValues.queries(routing.request().query(), name));
  }

  @Override
  public Optional<String> variable(String name) {
    return Optional.ofNullable(variables.get(name));
  }

  @Override
  public void eachField(BiConsumer<String, String> line) {
    routing.request().headers().forEach(line);
  }

  @Override
  public void eachQuery(BiConsumer<String, String> parameter) {
    queries(routing).ifPresent(all -> all.forEach(parameter));
  }

  /** Returns the parameters of the query; empty if it is malformed. */
  static Optional<MultiMap> queries(RoutingContext routing) {
    return RequestValues.read(routing::queryParams);
  }

  @Override
  public CompletionStage<@Nullable Principal> user() {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public Optional<ReadBody> readBody(BodyReader reader) {
    return Optional.empty();
  }

  @Override
  public boolean hasStill(ReadBody body) {
    return true;
  }

  @Override
  public void show(ReadBody body) {}
}
