package io.weir.spring.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.util.ClassUtils;

/** An application on an embedded server, and callers with two addresses: one is its proxy's. */
final class AddressServer implements AutoCloseable {
  /** The address that the settings trust. */
  static final String PROXY = "127.0.0.2";

  /** An address that nobody trusts. */
  static final String CALLER = "127.0.0.1";

  private static final int PATIENCE_MILLIS = 60_000;

  /** Auto-configurations of both Spring Boots that the tests have no use for. */
  private static final String EXCLUDED =
      String.join(
          ",",
          "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
          "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
          "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
          "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
          // With several servers on the class path they prepare the first alone, or one too many.
          "org.springframework.boot.jetty.autoconfigure.actuate.web.server.JettyServletManagementContextAutoConfiguration",
          "org.springframework.boot.autoconfigure.websocket.servlet.WebSocketServletAutoConfiguration",
          "org.springframework.boot.websocket.autoconfigure.servlet.WebSocketServletAutoConfiguration",
          "org.springframework.boot.autoconfigure.websocket.reactive.WebSocketReactiveAutoConfiguration");

  private final ConfigurableApplicationContext context;

  private AddressServer(ConfigurableApplicationContext context) {
    this.context = context;
  }

  static AddressServer start(
      WebApplicationType type, Class<?> factory, Class<?> application, List<String> properties) {
    return start(type, application, context -> context.registerBean("server", factory), properties);
  }

  /** Starts one whose server is a bean that is registered by code. */
  static AddressServer start(
      WebApplicationType type,
      Class<?> application,
      Consumer<GenericApplicationContext> server,
      List<String> properties) {
    return new AddressServer(
        new SpringApplicationBuilder(application)
            .web(type)
            .initializers(each -> server.accept((GenericApplicationContext) each))
            .properties(properties(properties))
            .run());
  }

  /** Adds the properties that all applications have. */
  static String[] properties(List<String> properties) {
    return Stream.concat(
            Stream.of(
                "server.port=0",
                "spring.main.banner-mode=off",
                "spring.jmx.enabled=false",
                "logging.level.root=ERROR",
                "weir.proxy.trusted=" + PROXY,
                "spring.autoconfigure.exclude=" + EXCLUDED),
            properties.stream())
        .toArray(String[]::new);
  }

  /** Finds a class by the names that it has in one Spring Boot or the other. */
  static Optional<Class<?>> type(String... names) {
    return Stream.of(names)
        .filter(each -> ClassUtils.isPresent(each, null))
        .<Class<?>>map(each -> ClassUtils.resolveClassName(each, null))
        .findFirst();
  }

  /** Whether this Spring Boot starts Undertow. */
  static boolean hasUndertow() {
    return type("org.springframework.boot.web.embedded.undertow.UndertowServletWebServerFactory")
        .isPresent();
  }

  /** A response, as far as the tests need it. */
  record Reply(int status, String location) {}

  int port() {
    return port("local.server.port");
  }

  int port(String property) {
    return context.getEnvironment().getRequiredProperty(property, Integer.class);
  }

  /** Sends a request from an address of this machine. */
  Reply get(String from, String path, String... fields) throws IOException {
    return get(from, port(), path, fields);
  }

  static Reply get(String from, int port, String path, String... fields) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("GET " + path + " HTTP/1.1");
    lines.add("Host: 127.0.0.1:" + port);
    lines.add("Connection: close");
    lines.addAll(List.of(fields));
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getAllByName(from)[0], 0)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket
          .getOutputStream()
          .write((String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
      return parsed(
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1));
    }
  }

  private static Reply parsed(String text) {
    List<String> lines = text.lines().toList();
    String location = "location: ";
    return new Reply(
        Integer.parseInt(lines.get(0).split(" ")[1]),
        lines.stream()
            .filter(each -> each.toLowerCase(Locale.ROOT).startsWith(location))
            .findFirst()
            .map(each -> each.substring(location.length()))
            .orElse(""));
  }

  /** Sends a request for each chain of addresses, and returns the statuses. */
  List<Integer> statuses(String from, String path, String... chains) throws IOException {
    List<Integer> statuses = new ArrayList<>();
    for (String chain : chains) {
      statuses.add(
          get(from, path, "X-Forwarded-For: " + chain, "Forwarded: for=203.0.113.1").status());
    }
    return statuses;
  }

  @Override
  public void close() {
    context.close();
  }
}
