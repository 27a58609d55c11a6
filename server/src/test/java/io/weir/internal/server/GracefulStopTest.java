package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.redis.RedisServer;
import io.weir.rules.Rule;
import io.weir.rules.RuleWindow;
import io.weir.rules.Rules;
import io.weir.seeds.OneDayIn;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Tests that a server that stops under load answers each request that it has received. Clients
 * behave like a load balancer: they use another server once a response closes the connection.
 */
@OneDayIn(2)
class GracefulStopTest {
  private static final int CLIENTS = 8;
  private static final int WARM_UP = 200;

  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicInteger told = new AtomicInteger();
  private final CountDownLatch busy = new CountDownLatch(WARM_UP);

  @Test
  void losesNoRequest() throws Exception {
    RunningServer server = new RunningServer(Map.of("weir.server.stop.delay", "2s"));
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    List<Future<String>> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(threads.submit(() -> ask(server.url(), server.admin())));
    }
    busy.await();

    server.close();

    List<String> lost = new ArrayList<>();
    for (Future<String> each : clients) {
      String failure = each.get();
      if (!failure.isEmpty()) {
        lost.add(failure);
      }
    }
    threads.shutdown();
    assertEquals(List.of(), lost);
    assertTrue(answered.get() >= WARM_UP);
    assertEquals(CLIENTS, told.get(), "every client heard that the server stops");
  }

  /** Asks until the server closes; returns what went wrong. */
  private String ask(String url, String token) throws InterruptedException {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/v1/ratelimit/check"))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"userId\":\"alice\",\"endpoint\":\"/api/posts\"}"))
            .build();
    while (true) {
      try {
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
          return "status " + response.statusCode();
        }
        answered.incrementAndGet();
        busy.countDown();
        if (response.headers().firstValue("Connection").orElse("").equals("close")) {
          told.incrementAndGet();
          return "";
        }
      } catch (ConnectException refused) {
        return "refused before it was told";
      } catch (IOException lost) {
        return lost.toString();
      }
    }
  }

  @Test
  void answersRequestsThatArriveWhileItFinishesOthers() throws Exception {
    String status = "";
    for (int i = 0;
        i < 20 && status.isEmpty();
        i++) { // an idle connection is closed after a second
      status = statusWhileStopping();
    }
    assertEquals("HTTP/1.1 200 OK", status);
  }

  /** The status of a request that ends when the server has stopped accepting; empty if too late. */
  private static String statusWhileStopping() throws Exception {
    RunningServer server = new RunningServer(Map.of());
    URI address = URI.create(server.url());
    String head =
        "GET /v1/session HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
            + server.admin()
            + "\r\n";
    try (Socket socket = new Socket(address.getHost(), address.getPort())) {
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      Thread stopping = new Thread(server::close);
      stopping.start();
      while (isListening(address)) {
        Thread.onSpinWait();
      }
      socket.getOutputStream().write("\r\n".getBytes(StandardCharsets.US_ASCII));
      String status =
          new BufferedReader(
                  new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
              .readLine();
      stopping.join();
      return status == null ? "" : status;
    } catch (SocketException tooLate) {
      server.close();
      return "";
    }
  }

  private static boolean isListening(URI address) {
    try (Socket unused = new Socket(address.getHost(), address.getPort())) {
      return true;
    } catch (IOException refused) {
      return false;
    }
  }

  @Test
  void givesItsLeasesBackSoThatAnotherServerSpendsThemAtOnce() throws Exception {
    int limit = 300;
    try (RedisServer redis = RedisServer.start()) {
      Map<String, String> shared =
          Map.of(
              "weir.store", redis.url(),
              "weir.store.timeout", "10s",
              "weir.secret", "of the tests",
              "weir.rules", RunningServer.memory(),
              // Nothing comes back by itself while this test goes on.
              "weir.write-back.flush-interval", "10s");
      RunningServer stopped = new RunningServer(shared);
      Rules rules = stopped.service().rules();
      rules
          .rules()
          .save(
              Rule.builder("free", "/api/posts")
                  .limit(limit)
                  .window(RuleWindow.ofSeconds(3_600))
                  .build(),
              "test");
      rules.refresh();
      String token = stopped.admin();
      try (RunningServer other = new RunningServer(shared)) {
        // Only now, as leases end by themselves: what is tested lasts for some milliseconds.
        for (int i = 0; i < 50; i++) {
          assertTrue(RunningServer.json(stopped.check(token)).get("allowed").asBoolean());
        }
        long before = RunningServer.json(other.check(token)).get("remaining").asLong();
        assertTrue(before < limit - 51, "the first has leased something: " + before);

        stopped.close();

        int admitted = 0;
        while (RunningServer.json(other.check(token)).get("allowed").asBoolean()) {
          admitted++;
        }
        assertEquals(limit - 51, admitted);
      }
    }
  }

  @Test
  void isNotReadyFromTheBeginning() throws Exception {
    RunningServer server = new RunningServer(Map.of("weir.server.stop.delay", "5s"));
    String metrics =
        server
            .awaitRules()
            .service()
            .rules()
            .tokens()
            .create("metrics", "weir-metrics", Optional.empty(), Optional.empty(), "test")
            .secret();
    assertTrue(server.get("/metrics", metrics).body().contains("\nweir_server_ready 1.0\n"));
    Thread stopping = new Thread(server::close);
    stopping.start();
    while (!server.service().isStopping()) {
      Thread.onSpinWait();
    }
    HttpResponse<String> ready = server.send("GET", "/health/ready", "");
    assertEquals(503, ready.statusCode());
    assertEquals("stopping", RunningServer.json(ready).get("status").textValue());
    assertEquals(200, server.send("GET", "/health/live", "").statusCode());
    assertTrue(server.get("/metrics", metrics).body().contains("\nweir_server_ready 0.0\n"));
    stopping.join();
  }
}
