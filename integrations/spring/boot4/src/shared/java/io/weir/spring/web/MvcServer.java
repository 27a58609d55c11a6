package io.weir.spring.web;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Runs an application on an embedded server and a free port. */
final class MvcServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** The fields of the default dialect. */
  static final List<String> FIELDS =
      List.of(
          "RateLimit-Policy",
          "RateLimit",
          "X-RateLimit-Limit",
          "X-RateLimit-Remaining",
          "X-RateLimit-Reset");

  /** Auto-configurations of both Spring Boots that the tests have no use for. */
  private static final String EXCLUDED =
      String.join(
          ",",
          "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
          "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
          "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
          "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
          // With several servers on the class path it prepares the first alone.
          "org.springframework.boot.autoconfigure.websocket.servlet.WebSocketServletAutoConfiguration",
          "org.springframework.boot.websocket.autoconfigure.servlet.WebSocketServletAutoConfiguration");

  private final ConfigurableApplicationContext context;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();

  private MvcServer(ConfigurableApplicationContext context) {
    this.context = context;
  }

  /** Starts on Tomcat. */
  static MvcServer start(List<Class<?>> classes, String... properties) {
    return start(MvcServers.tomcat().orElseThrow(), classes, properties);
  }

  static MvcServer start(Class<?> factory, List<Class<?>> classes, String... properties) {
    List<Class<?>> all = new ArrayList<>(classes);
    all.add(factory);
    return new MvcServer(
        new SpringApplicationBuilder(all.toArray(Class<?>[]::new))
            .web(WebApplicationType.SERVLET)
            .properties(
                "server.port=0",
                "spring.main.banner-mode=off",
                "spring.jmx.enabled=false",
                "logging.level.root=OFF",
                "weir.proxy.trusted=127.0.0.1",
                "spring.autoconfigure.exclude=" + EXCLUDED)
            .properties(properties)
            .run());
  }

  ConfigurableApplicationContext context() {
    return context;
  }

  int port() {
    return port("local.server.port");
  }

  int port(String property) {
    return context.getEnvironment().getRequiredProperty(property, Integer.class);
  }

  /** A response, with its header fields for limits. */
  record Reply(int status, HttpHeaders headers, String body) {
    /** Returns the fields that are missing or repeated. */
    List<String> wrongFields() {
      return FIELDS.stream().filter(each -> headers.allValues(each).size() != 1).toList();
    }

    /** Returns the fields that are there. */
    List<String> fields() {
      return Stream.concat(FIELDS.stream(), Stream.of("Retry-After"))
          .filter(each -> headers.firstValue(each).isPresent())
          .toList();
    }

    long remaining() {
      return headers.firstValueAsLong("X-RateLimit-Remaining").orElse(-1);
    }

    Optional<String> field(String name) {
      return headers.firstValue(name);
    }
  }

  Reply get(String path, String... fields) throws IOException, InterruptedException {
    return send("GET", path, fields);
  }

  Reply send(String method, String path, String... fields)
      throws IOException, InterruptedException {
    return send(port(), method, path, fields);
  }

  Reply send(int port, String method, String path, String... fields)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(PATIENCE)
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (fields.length > 0) {
      request.headers(fields);
    }
    return reply(request.build());
  }

  /** Sends a request with a body. */
  Reply send(String method, String path, String body, List<String> fields)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
            .timeout(PATIENCE)
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .headers(fields.toArray(String[]::new))
            .build();
    return reply(request);
  }

  private Reply reply(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
    return new Reply(response.statusCode(), response.headers(), response.body());
  }

  List<Reply> get(int times, String path, String... fields)
      throws IOException, InterruptedException {
    List<Reply> replies = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      replies.add(get(path, fields));
    }
    return replies;
  }

  List<Integer> statuses(int times, String path, String... fields)
      throws IOException, InterruptedException {
    return get(times, path, fields).stream().map(Reply::status).toList();
  }

  /** Returns the fields of a caller whom no other test has been, with further ones. */
  static String[] caller(String address, String... more) {
    return Stream.concat(Stream.of("X-Forwarded-For", address), Arrays.stream(more))
        .toArray(String[]::new);
  }

  @Override
  public void close() {
    context.close();
  }
}
