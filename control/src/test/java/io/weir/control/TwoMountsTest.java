package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.weir.Weir;
import io.weir.rules.Rules;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** An application that mounts the API twice, and once more after the first was stopped. */
class TwoMountsTest {
  private static final String EVENTS = "/v1/admin/ratelimit/events";
  private static final int MAX_READERS = 32;
  private static final int MAX_OF_CALLER = 8;

  private static Server twice(Weir weir, Rules rules) {
    return TomcatServer.start(
        weir, rules, "", "/v1/*", application -> add(application, weir, rules));
  }

  private static void add(ServletContext application, Weir weir, Rules rules) {
    ServletRegistration.Dynamic second =
        application.addServlet("second", new ControlServlet(weir, rules));
    second.addMapping("/weir/*");
    second.setAsyncSupported(true);
    second.setLoadOnStartup(2);
  }

  @Test
  void bothAnswerAndNothingIsNotifiedTwice() throws IOException, InterruptedException {
    BlockingQueue<String> posted = new LinkedBlockingQueue<>();
    HttpServer receiver =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext(
        "/",
        exchange -> {
          posted.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    receiver.start();
    Map<String, String> settings =
        Map.of(
            "weir.notify.url",
            "http://127.0.0.1:" + receiver.getAddress().getPort() + "/",
            "weir.notify.secret",
            "a secret of thirty-two characters");
    Set<Thread> earlier = notifiers(Set.of());
    try (ControlApp app = new ControlApp(settings, TwoMountsTest::twice)) {
      assertEquals(200, app.get("/v1/session", "alice/").status());
      assertEquals(200, app.get("/weir/v1/session", "alice/").status());
      assertEquals(1, notifiers(earlier).size());
      app.rule("free", "/a", 5);
      app.rule("premium", "/a", 10);
      boolean isPosted = false;
      for (int user = 0; !isPosted && user < 60; user++) { // until this node is on duty
        app.rules.upgrades().request("user" + user, "premium", "");
        app.rules.refresh();
        isPosted = posted.poll(1, TimeUnit.SECONDS) != null;
      }
      assertTrue(isPosted);
      try (Server again = twice(app.weir, app.rules)) {
        assertEquals(1, notifiers(earlier).size(), () -> "at " + again.address());
      }
    } finally {
      receiver.stop(0);
    }
  }

  /** Returns the threads of webhooks, but for those of earlier tests. */
  private static Set<Thread> notifiers(Set<Thread> earlier) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.isAlive() && each.getName().startsWith("weir-notify"))
        .filter(each -> !earlier.contains(each))
        .collect(Collectors.toSet());
  }

  @Test
  void bothTogetherHaveThePlacesOfOne() throws IOException, InterruptedException {
    try (ControlApp app = new ControlApp(Map.of(), TwoMountsTest::twice)) {
      List<InputStream> streams = new ArrayList<>();
      for (int i = 0; i < MAX_READERS; i++) {
        String who = "root" + i / MAX_OF_CALLER + "/weir-admin";
        HttpResponse<InputStream> stream = read(app, i % 2 == 0 ? EVENTS : "/weir" + EVENTS, who);
        assertEquals(200, stream.statusCode());
        streams.add(stream.body());
      }
      assertEquals(503, app.get(EVENTS, "root/weir-admin").status());
      assertEquals(503, app.get("/weir" + EVENTS, "root/weir-admin").status());
      for (InputStream each : streams) {
        each.close();
      }
    }
  }

  private static HttpResponse<InputStream> read(ControlApp app, String path, String who)
      throws IOException, InterruptedException {
    return ControlApp.CLIENT.send(app.request(path, who).build(), BodyHandlers.ofInputStream());
  }
}
