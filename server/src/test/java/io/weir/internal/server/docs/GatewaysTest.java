package io.weir.internal.server.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.weir.compat.redis.Await;
import io.weir.compat.redis.RedisServer;
import io.weir.internal.server.Programs;
import io.weir.internal.server.RunningServer;
import io.weir.rules.Rule;
import io.weir.rules.Rules;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real gateways, with the configuration of docs/service.md, before an application. */
class GatewaysTest {
  private static final String HEADING = "nginx, Traefik, Caddy";

  @TempDir private Path folder;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** What the application was sent, by its header fields. */
  private final List<Map<String, List<String>>> passed = new CopyOnWriteArrayList<>();

  private HttpServer application;

  @BeforeEach
  void start() throws IOException {
    application = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    application.createContext(
        "/",
        exchange -> {
          passed.add(Map.copyOf(exchange.getRequestHeaders()));
          byte[] body = "of the application".getBytes(UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    application.start();
  }

  @AfterEach
  void stop() {
    application.stop(0);
  }

  private String applicationAddress() {
    return "127.0.0.1:" + application.getAddress().getPort();
  }

  /** With the settings of the page, and a rule of two requests a minute for each address. */
  private static RunningServer server(String by) throws IOException {
    Properties settings = new Properties();
    settings.load(new StringReader(ServicePage.block(HEADING, "properties", "forward.by")));
    Map<String, String> all = new HashMap<>();
    settings.forEach((name, value) -> all.put(name.toString(), value.toString()));
    all.put("weir.control.forward.by", by);
    RunningServer server = new RunningServer(all);
    Rules rules = server.service().rules();
    rules
        .rules()
        .save(
            Rule.builder("*", "/api/posts").name("posts").limit(2).countBy(List.of("IP")).build(),
            "test");
    rules.refresh();
    return server;
  }

  private static String token(RunningServer server) {
    return server
        .service()
        .rules()
        .tokens()
        .create("gateway", "weir-check", Optional.empty(), Optional.empty(), "test")
        .secret();
  }

  private static String host(RunningServer server) {
    return URI.create(server.url()).getAuthority();
  }

  private HttpResponse<String> get(int port, String path, String... fields) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    for (int i = 0; i < fields.length; i += 2) {
      request.header(fields[i], fields[i + 1]);
    }
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  /** Runs a gateway until it answers, does something, and ends it. */
  private void with(List<String> command, int port, Runnable work) throws Exception {
    Path said = folder.resolve("said.txt");
    Process gateway = Programs.start(folder, said, command);
    try {
      Await.until("it answers", () -> !gateway.isAlive() || answers(port));
      assertTrue(gateway.isAlive(), () -> command.get(0) + " ended: " + read(said));
      passed.clear();
      work.run();
    } catch (AssertionError failed) {
      throw new AssertionError(failed.getMessage() + "\n" + read(said), failed);
    } finally {
      gateway.descendants().forEach(ProcessHandle::destroy);
      gateway.destroy();
      gateway.waitFor();
    }
  }

  private boolean answers(int port) {
    try {
      return get(port, "/free").statusCode() == 200;
    } catch (UncheckedIOException notYet) {
      return false;
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException missing) {
      return missing.toString();
    }
  }

  @Test
  void nginx() throws Exception {
    Programs.needs("nginx");
    try (RunningServer server = server("original")) {
      int port = RedisServer.freePort();
      String secret = token(server);
      String locations =
          ServicePage.block(HEADING, "nginx", "auth_request")
              .replace("http://application", "http://" + applicationAddress())
              .replace("weir:8070", host(server))
              .replace("weir_…", secret);
      Files.createDirectories(folder.resolve("temp"));
      Path config =
          Files.writeString(
              folder.resolve("nginx.conf"),
              """
              daemon off;
              worker_processes 1;
              pid nginx.pid;
              error_log stderr warn;
              events { worker_connections 64; }
              http {
                access_log off;
                client_body_temp_path temp/body;
                proxy_temp_path temp/proxy;
                fastcgi_temp_path temp/fastcgi;
                uwsgi_temp_path temp/uwsgi;
                scgi_temp_path temp/scgi;
                server {
                  listen 127.0.0.1:PORT;
                  LOCATIONS
                }
              }
              """
                  .replace("PORT", String.valueOf(port))
                  .replace("LOCATIONS", locations));
      List<String> command =
          List.of("nginx", "-p", folder.toString(), "-e", "stderr", "-c", config.toString());
      with(
          command,
          port,
          () -> {
            assertAdmitsTwo(port);
            HttpResponse<String> refused = assertRefuses(port);
            long seconds =
                Long.parseLong(refused.headers().firstValue("Retry-After").orElseThrow());
            assertTrue(seconds > 0, "Retry-After: " + seconds);
            assertOthersGoOn(port, secret);
          });
    }
  }

  private void assertAdmitsTwo(int port) {
    for (int i = 0; i < 2; i++) {
      HttpResponse<String> admitted = get(port, "/api/posts?page=1");
      assertEquals(200, admitted.statusCode());
      assertEquals("of the application", admitted.body());
    }
  }

  /** What a client makes up of itself doesn't give it another limit. */
  private HttpResponse<String> assertRefuses(int port) {
    HttpResponse<String> refused =
        get(
            port,
            "/api/posts",
            "X-Forwarded-For",
            "192.0.2.1",
            "X-Forwarded-Uri",
            "/free",
            "X-Original-URI",
            "/free");
    assertEquals(429, refused.statusCode());
    return refused;
  }

  private void assertOthersGoOn(int port, String secret) {
    assertEquals(200, get(port, "/free").statusCode(), "another path goes on");
    assertFalse(passed.isEmpty());
    for (Map<String, List<String>> each : passed) {
      assertFalse(each.toString().contains(secret), "the application isn't told the token");
    }
  }

  @Test
  void caddy() throws Exception {
    Programs.needs("caddy");
    try (RunningServer server = server("forwarded")) {
      int port = RedisServer.freePort();
      String secret = token(server);
      String site =
          ServicePage.blocks(HEADING, "").stream()
              .filter(each -> each.contains("forward_auth"))
              .findFirst()
              .orElseThrow()
              .replace("example.org", "http://127.0.0.1:" + port)
              .replace("weir:8070", host(server))
              .replace("application:8080", applicationAddress())
              .replace("weir_…", secret);
      Path config =
          Files.writeString(
              folder.resolve("Caddyfile"), "{\n  admin off\n  auto_https off\n}\n" + site);
      List<String> command =
          List.of("caddy", "run", "--config", config.toString(), "--adapter", "caddyfile");
      with(
          command,
          port,
          () -> {
            assertAdmitsTwo(port);
            assertTrue(passed.get(0).containsKey("Ratelimit"), () -> passed.get(0).toString());
            HttpResponse<String> refused = assertRefuses(port);
            assertTrue(refused.headers().firstValue("Retry-After").isPresent());
            assertTrue(refused.headers().firstValue("RateLimit").isPresent());
            assertTrue(refused.body().contains("quota-exceeded"), refused.body());
            assertOthersGoOn(port, secret);
          });
    }
  }
}
