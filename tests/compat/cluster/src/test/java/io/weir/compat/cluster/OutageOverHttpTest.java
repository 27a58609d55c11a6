package io.weir.compat.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.compat.redis.Await;
import io.weir.compat.redis.RedisServer;
import io.weir.seeds.OneDayIn;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

@OneDayIn(2)
class OutageOverHttpTest {
  private static final int ROUNDS = 20;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @Test
  void answersNo5xxWhileTheStoreIsAwayButWhereThePolicySaysSo() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      Nodes nodes =
          Nodes.on(
              redis.url(),
              Map.of("weir.prefix", RedisServer.prefix(), "weir.store.nodes", "" + Nodes.COUNT));
      List<Integer> ports = nodes.serve();
      Await.until("closed is open", () -> statusOrThrow(ports.get(0), "closed") == 200);
      awaitAdmitted(ports);
      assertOnly(Set.of(200, 429), statuses(ports, "local"));
      redis.pause();
      awaitAdmitted(ports);
      assertOnly(Set.of(200, 429), statuses(ports, "local"));
      assertOnly(Set.of(200), statuses(ports, "open"));
      assertEquals(Set.of(503), new TreeSet<>(statuses(ports, "closed")));
      assertFalse(Probe.answers(redis.port()));
      redis.resume();
      Await.until("closed is open again", () -> statusOrThrow(ports.get(0), "closed") != 503);
      awaitAdmitted(ports);
      assertOnly(Set.of(200, 429), statuses(ports, "local"));
      nodes.close();
    }
  }

  /** Earlier use may be known for a second, and the next one may be all that a window has left. */
  private void awaitAdmitted(List<Integer> ports) {
    Await.until("a request is admitted", () -> statusOrThrow(ports.get(0), "local") == 200);
  }

  private static void assertOnly(Set<Integer> expected, List<Integer> statuses) {
    Set<Integer> others = new TreeSet<>(statuses);
    others.removeAll(expected);
    assertEquals(Set.of(), others);
  }

  private List<Integer> statuses(List<Integer> ports, String page) throws Exception {
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      for (int port : ports) {
        all.add(status(port, page));
      }
    }
    return all;
  }

  private int statusOrThrow(int port, String page) {
    try {
      return status(port, page);
    } catch (IOException | InterruptedException failed) {
      throw new AssertionError(failed);
    }
  }

  private int status(int port, String page) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/" + page))
            .timeout(Duration.ofMinutes(2))
            .build();
    return client.send(request, BodyHandlers.discarding()).statusCode();
  }
}
