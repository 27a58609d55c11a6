package io.weir.spring.operations;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.Weir;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Runs an application of Spring Boot with all that the class path has, on a free port. */
public final class BootedApplication implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Map<String, Object> DEFAULTS =
      Map.of(
          "server.port", "0",
          "spring.main.banner-mode", "off",
          "spring.jmx.enabled", "false",
          "spring.datasource.generate-unique-name", "true",
          "management.health.redis.enabled", "false",
          "spring.main.allow-bean-definition-overriding", "true", // the class path has two servers
          "logging.level.root", "WARN");

  private final ConfigurableApplicationContext context;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

  private BootedApplication(ConfigurableApplicationContext context) {
    this.context = context;
  }

  /**
   * Starts an application with servlets.
   *
   * @param configuration its configuration
   * @param properties names and values, as in {@code name=value}
   * @return an application that the caller closes
   */
  public static BootedApplication start(Class<?> configuration, String... properties) {
    return start(WebApplicationType.SERVLET, configuration, properties);
  }

  /**
   * Starts an application.
   *
   * @param type its kind of server
   * @param configuration its configuration
   * @param properties names and values, as in {@code name=value}
   * @return an application that the caller closes
   */
  public static BootedApplication start(
      WebApplicationType type, Class<?> configuration, String... properties) {
    SpringApplication application =
        new SpringApplicationBuilder(configuration)
            .web(type)
            .logStartupInfo(false)
            .registerShutdownHook(false)
            .properties(DEFAULTS)
            .build();
    return new BootedApplication(
        application.run(Arrays.stream(properties).map(each -> "--" + each).toArray(String[]::new)));
  }

  /**
   * Starts an application without a server, which has {@code weir.properties} on its class path.
   *
   * @param directory gets the file
   * @param file its text
   * @param configuration its configuration
   * @param properties names and values, as in {@code name=value}
   * @return an application that the caller closes
   */
  public static BootedApplication withFile(
      Path directory, String file, Class<?> configuration, String... properties)
      throws IOException {
    Files.writeString(directory.resolve("weir.properties"), file);
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(new URLClassLoader(new URL[] {directory.toUri().toURL()}, before));
    try {
      return start(WebApplicationType.NONE, configuration, properties);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Returns the context. */
  public ConfigurableApplicationContext context() {
    return context;
  }

  /** Returns the Weir of the context. */
  public Weir weir() {
    return context.getBean(Weir.class);
  }

  /** Returns the address of a path at the application's port. */
  public URI uri(String path) {
    return uri("local.server.port", path);
  }

  /** Returns the address of a path at the port that a property names. */
  public URI uri(String property, String path) {
    return URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty(property) + path);
  }

  /** Sends a request. */
  public HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return http.send(request.timeout(TIMEOUT).build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Gets a path of the application. */
  public HttpResponse<String> get(String path) {
    return send(HttpRequest.newBuilder(uri(path)));
  }

  /** Returns the status of a request without a body. */
  public int status(String method, String path) {
    return send(HttpRequest.newBuilder(uri(path)).method(method, BodyPublishers.noBody()))
        .statusCode();
  }

  /** Reads JSON. */
  public static JsonNode json(HttpResponse<String> response) {
    try {
      return JSON.readTree(response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(response.body(), e);
    }
  }

  @Override
  public void close() {
    context.close();
  }
}
