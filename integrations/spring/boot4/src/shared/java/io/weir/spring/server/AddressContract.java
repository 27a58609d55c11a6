package io.weir.spring.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.seeds.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.WebApplicationType;

/**
 * Checks on one embedded server that no caller chooses the address that it counts by, and that a
 * trusted proxy names it, whatever Spring Boot does with forwarded fields; and that redirects
 * follow the fields where Spring Boot is to apply them.
 */
abstract class AddressContract {
  static final String CLOUD = "spring.main.cloud-platform=kubernetes";

  /** The factory of the server. */
  abstract Class<?> factory();

  abstract WebApplicationType type();

  abstract Class<?> application();

  /** Paths that at most two requests of each address may get. */
  abstract List<String> limited();

  /** Checks what one kind of application has. */
  void requireMore(AddressServer server) throws IOException {}

  /** All strategies, with a cloud and without. */
  static Stream<Arguments> table() {
    return Stream.of("", "native", "framework", "none")
        .flatMap(each -> Stream.of(Arguments.of(each, false), Arguments.of(each, true)));
  }

  /** Some of the table: other servers, in the order of the days. */
  static Stream<Arguments> today() {
    return Seeds.today(table().toList(), 3).stream(); // two Spring Boots take turns, too
  }

  AddressServer start(String strategy, boolean cloud, String... more) {
    List<String> properties = new ArrayList<>(List.of(more));
    if (!strategy.isEmpty()) {
      properties.add("server.forward-headers-strategy=" + strategy);
    }
    if (cloud) {
      properties.add(CLOUD);
    }
    return AddressServer.start(type(), factory(), application(), properties);
  }

  @ParameterizedTest(name = "strategy ''{0}'', cloud {1}")
  @MethodSource("table")
  void nobodyChoosesItsAddressAndRedirectsFollowTheProxy(String strategy, boolean cloud)
      throws IOException {
    try (AddressServer server = start(strategy, cloud)) {
      for (String path : limited()) {
        requireConnectionsAddress(server, path);
        requireProxysCallers(server, path);
      }
      requireMore(server);
      if (strategy.isEmpty() && cloud) {
        requireOneCaller(server, limited().get(0));
      }
      boolean applied =
          strategy.equals("native") || strategy.equals("framework") || strategy.isEmpty() && cloud;
      assertEquals(
          applied ? "https://shop.example/there" : "http://127.0.0.1:" + server.port() + "/there",
          redirect(server));
    }
  }

  /** Each request claims to be another caller, public or private, and trusted. */
  static void requireConnectionsAddress(AddressServer server, String path) throws IOException {
    assertEquals(
        List.of(200, 200, 429, 429, 429),
        server.statuses(
            AddressServer.CALLER,
            path,
            "203.0.113.1",
            "203.0.113.2",
            "203.0.113.3, 10.0.0.1",
            AddressServer.PROXY,
            "203.0.113.4, " + AddressServer.PROXY),
        path);
  }

  /** The proxy has appended the caller's address to what the caller has sent. */
  static void requireProxysCallers(AddressServer server, String path) throws IOException {
    for (String caller : List.of("198.51.100.7", "198.51.100.8", "10.9.9.9", "192.168.1.1")) {
      assertEquals(
          List.of(200, 200, 429),
          server.statuses(
              AddressServer.PROXY, path, caller, "203.0.113.1, " + caller, "10.0.0.1, " + caller),
          () -> caller + " " + path);
    }
  }

  static String redirect(AddressServer server) throws IOException {
    return server
        .get(
            AddressServer.PROXY,
            "/redirect",
            "X-Forwarded-For: 198.51.100.7",
            "X-Forwarded-Proto: https",
            "X-Forwarded-Host: shop.example",
            "X-Forwarded-Port: 443")
        .location();
  }

  /** Each of them was admitted as long as the server's word was taken for it. */
  private static void requireOneCaller(AddressServer server, String path) throws IOException {
    int forgeries = Seeds.times(100);
    for (int i = 0; i < forgeries; i++) {
      String forged = "X-Forwarded-For: 203.0." + i / 250 + "." + i % 250;
      assertEquals(429, server.get(AddressServer.CALLER, path, forged).status());
    }
  }
}
