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
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
  public Map<String, List<String>> fields() {
    return fields(routing);
  }

  static Map<String, List<String>> fields(RoutingContext routing) {
    return byName(routing.request().headers());
  }

  @Override
  public Map<String, List<String>> queries() {
    return queries(routing);
  }

  static Map<String, List<String>> queries(RoutingContext routing) {
    return RequestValues.read(() -> byName(routing.queryParams())).orElse(Map.of());
  }

  private static Map<String, List<String>> byName(MultiMap values) {
    Map<String, List<String>> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    values.names().forEach(each -> all.put(each, values.getAll(each)));
    return all;
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
