package io.weir.spring.webflux;

import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/** An application with WebFlux on Reactor Netty, and a client of it. Confine to one thread. */
final class FluxServer implements AutoCloseable {
  /** The auto-configurations of WebFlux in the two versions of Spring Boot, and Weir's. */
  private static final List<String> PARTS =
      List.of(
          "org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration",
          "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration",
          "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
          "org.springframework.boot.autoconfigure.http.codec.CodecsAutoConfiguration",
          "org.springframework.boot.http.codec.autoconfigure.CodecsAutoConfiguration",
          "org.springframework.boot.autoconfigure.web.reactive.WebFluxAutoConfiguration",
          "org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration",
          "org.springframework.boot.autoconfigure.web.reactive.error.ErrorWebFluxAutoConfiguration",
          "org.springframework.boot.webflux.autoconfigure.error.ErrorWebFluxAutoConfiguration",
          "org.springframework.boot.autoconfigure.web.reactive.HttpHandlerAutoConfiguration",
          "org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration",
          "org.springframework.boot.autoconfigure.web.reactive"
              + ".ReactiveWebServerFactoryAutoConfiguration",
          "org.springframework.boot.reactor.netty.autoconfigure"
              + ".NettyReactiveWebServerAutoConfiguration",
          "io.weir.spring.WeirAutoConfiguration",
          "io.weir.spring.webflux.WeirWebFluxAutoConfiguration");

  private static final List<String> NETTY =
      List.of(
          "org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory",
          "org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory");

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  static {
    // Reactor Netty 1.2.18, which Spring Boot 3.5.16 brings, may stop reading a connection once a
    // response came from another thread and the next one from the event loop, without Weir too.
    // This avoids it. Not needed with 1.3.8, as ReactorNettyTest shows.
    if (SpringBootVersion.getVersion().startsWith("3.")) {
      System.setProperty("reactor.netty.http.server.lastFlushWhenNoRead", "true");
    }
  }

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();

  private final ConfigurableApplicationContext context;

  private FluxServer(ConfigurableApplicationContext context) {
    this.context = context;
  }

  /** Imports the auto-configurations that both versions of Spring Boot have for WebFlux. */
  @Retention(RetentionPolicy.RUNTIME)
  @Import(Parts.class)
  @interface WithWebFlux {}

  /** Selects those that this version of Spring Boot has. */
  static final class Parts implements DeferredImportSelector {
    @Override
    public String[] selectImports(AnnotationMetadata importing) {
      return existing(PARTS).toArray(String[]::new);
    }
  }

  private static Stream<String> existing(List<String> classes) {
    return classes.stream().filter(each -> ClassUtils.isPresent(each, null));
  }

  /** Starts an application on a free port. */
  static FluxServer start(Class<?> application, String... properties) {
    SpringApplication made =
        new SpringApplicationBuilder(application)
            .web(WebApplicationType.REACTIVE)
            .initializers(each -> ((GenericApplicationContext) each).registerBean("netty", netty()))
            .properties(
                Stream.concat(
                        Stream.of("server.port=0", "spring.main.banner-mode=off"),
                        Stream.of(properties))
                    .toArray(String[]::new))
            .build();
    return new FluxServer(made.run());
  }

  private static Class<?> netty() {
    return ClassUtils.resolveClassName(existing(NETTY).findFirst().orElseThrow(), null);
  }

  ConfigurableApplicationContext context() {
    return context;
  }

  int port() {
    return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
  }

  HttpRequest.Builder request(String path, String... fields) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path)).timeout(PATIENCE);
    return fields.length == 0 ? request : request.headers(fields);
  }

  HttpResponse<String> get(String path, String... fields) throws IOException, InterruptedException {
    return client.send(request(path, fields).build(), BodyHandlers.ofString());
  }

  HttpResponse<String> send(String method, String path, String... fields)
      throws IOException, InterruptedException {
    return client.send(
        request(path, fields).method(method, HttpRequest.BodyPublishers.noBody()).build(),
        BodyHandlers.ofString());
  }

  HttpResponse<String> post(String path, String body, String... fields)
      throws IOException, InterruptedException {
    return client.send(
        request(path, fields).POST(HttpRequest.BodyPublishers.ofString(body)).build(),
        BodyHandlers.ofString());
  }

  /** Sends a body, and returns the bytes of the response, each as one character. */
  HttpResponse<String> send(
      String method, String path, HttpRequest.BodyPublisher body, String... fields)
      throws IOException, InterruptedException {
    return client.send(
        request(path, fields).method(method, body).build(),
        BodyHandlers.ofString(StandardCharsets.ISO_8859_1));
  }

  /** Sends a request several times, and returns the statuses. */
  List<Integer> statuses(int times, String path, String... fields)
      throws IOException, InterruptedException {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      statuses.add(get(path, fields).statusCode());
    }
    return statuses;
  }

  @Override
  public void close() {
    context.close();
  }
}
