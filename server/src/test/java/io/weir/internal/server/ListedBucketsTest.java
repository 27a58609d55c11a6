package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.compat.redis.Await;
import io.weir.rules.Rule;
import io.weir.rules.Rules;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests {@code /policies/{name}/buckets} over HTTP, with RocksDB and with stores that can't list
 * buckets.
 */
class ListedBucketsTest {
  private static final String BUCKETS = "/v1/admin/ratelimit/policies/posts/buckets";

  private static final int USERS = 7;
  private static final int LIMIT = 1_000_000;

  @TempDir private Path folder;

  private static RunningServer server(String store) {
    RunningServer server = new RunningServer(Map.of("weir.store", store));
    Rules rules = server.service().rules();
    rules
        .rules()
        .save(Rule.builder("free", "/api/posts").name("posts").limit(LIMIT).build(), "test");
    rules.refresh();
    return server;
  }

  private static void check(RunningServer server, String user) {
    HttpResponse<String> response =
        server.send(
            "POST",
            "/v1/ratelimit/check",
            "{\"userId\":\"" + user + "\",\"endpoint\":\"/api/posts\"}",
            "Authorization",
            "Bearer " + server.admin(),
            "Content-Type",
            "application/json");
    assertTrue(RunningServer.json(response).get("allowed").asBoolean(), response.body());
  }

  @Test
  void allBucketsOfAPolicyAreListedPageByPage() {
    try (RunningServer server = server("rocksdb:" + folder.resolve("buckets"))) {
      Await.until(
          "the store has all of them",
          () -> {
            // Again and again: on a busy machine a node decides without the store.
            for (int user = 0; user < USERS; user++) {
              check(server, "user" + user);
            }
            return names(server).size() == USERS;
          });
      HttpResponse<String> page = server.get(BUCKETS + "?limit=1", server.admin());
      JsonNode bucket = RunningServer.json(page).get("items").get(0);
      assertTrue(bucket.get("remaining").asLong() < LIMIT, page.body());
      assertTrue(bucket.get("resetAfter").asLong() > 0, page.body());
      assertEquals(400, server.get(BUCKETS + "?cursor=bm9uc2Vuc2U", server.admin()).statusCode());
      assertEquals(404, server.get(BUCKETS.replace("posts", "none"), server.admin()).statusCode());
    }
  }

  /** The names on all pages, each of which has three at most. */
  private static Set<String> names(RunningServer server) {
    Set<String> names = new HashSet<>();
    String cursor = "";
    do {
      HttpResponse<String> response = server.get(BUCKETS + "?limit=3" + cursor, server.admin());
      assertEquals(200, response.statusCode(), response.body());
      JsonNode page = RunningServer.json(response);
      assertTrue(page.get("items").size() <= 3);
      page.get("items").forEach(each -> assertTrue(names.add(each.get("bucket").asText())));
      cursor = page.get("next").isNull() ? "" : "&cursor=" + page.get("next").asText();
    } while (!cursor.isEmpty());
    return names;
  }

  @Test
  void aStoreThatCanNotListSaysSo() {
    try (RunningServer server = server("inprocess:")) {
      assertEquals(501, server.get(BUCKETS, server.admin()).statusCode());
    }
  }
}
