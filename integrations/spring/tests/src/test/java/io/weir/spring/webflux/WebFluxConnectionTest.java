package io.weir.spring.webflux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Tries what a refusal leaves of the connection. */
class WebFluxConnectionTest {
  private static final Pattern LENGTH = Pattern.compile("\r\ncontent-length: (\\d+)\r\n");
  private static FluxServer server;

  @BeforeAll
  static void start() {
    server = FluxServer.start(App.class);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Configuration(proxyBeanMethods = false)
  @FluxServer.WithWebFlux
  @Import(Limited.class)
  static class App {}

  @RestController
  static class Limited {
    @GetMapping("/elsewhere")
    Mono<String> elsewhere() {
      return Mono.just("elsewhere").publishOn(Schedulers.boundedElastic());
    }

    @GetMapping("/limited")
    @RateLimit(limit = 1, window = 600, by = By.IP, name = "limited")
    String limited() {
      return "limited";
    }
  }

  /**
   * A request that comes before the previous one has ended is taken up by Reactor Netty in another
   * way. So is the one of a quick client if the machine is busy.
   */
  @Test
  void aRefusalAtOnceLetsTheConnectionReadOn() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(60_000);
      send(socket, "/limited");
      assertEquals(200, status(socket));
      send(socket, "/elsewhere", "/limited");
      assertEquals(200, status(socket));
      assertEquals(429, status(socket));
      send(socket, "/limited");
      assertEquals(429, status(socket));
    }
  }

  private static void send(Socket socket, String... paths) throws IOException {
    StringBuilder requests = new StringBuilder();
    for (String path : paths) {
      requests.append("GET ").append(path).append(" HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    socket.getOutputStream().write(requests.toString().getBytes(StandardCharsets.US_ASCII));
  }

  /** Reads one response to its end. */
  private static int status(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException(head.toString());
      }
      head.append((char) next);
    }
    Matcher length = LENGTH.matcher(head.toString().toLowerCase(Locale.ROOT));
    if (length.find()) {
      in.readNBytes(Integer.parseInt(length.group(1)));
    }
    return Integer.parseInt(head.substring(9, 12));
  }
}
