package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.compat.redis.RedisServer;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import io.weir.seeds.Seeds;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Tests the whole server when it is killed (SIGKILL) under load by HTTP and the Redis protocol.
 * After the restart no bucket has more permits left than the last reply before. On the days
 * between, {@code KilledServerTest} kills one.
 */
@OneDayIn(2)
@RunOneIn(value = 4, own = true) // of 2 days, both tests would draw the same
class KilledUnderLoadTest {
  private static final String TOKEN = "0123456789abcdef0123456789abcdef";
  private static final long LIMIT = 1_000_000;
  private static final int CALLERS = 20;
  private static final int PIPELINED = 16;
  private static final long ENOUGH = Seeds.deep() ? 6_000 : 1_500;

  @TempDir private Path home;

  /** The least that a reply has said is left, by bucket, and how much was admitted there. */
  private final Map<String, Long> left = new HashMap<>();

  private final Map<String, Long> admitted = new HashMap<>();

  /** The permits that remain in a bucket, as one protocol reports them. */
  private interface Asking {
    /** Asks until the server is gone. */
    void until(AtomicLong replies) throws Exception;
  }

  @Test
  void withRedisBehindItNoBucketHasMoreThanTheLastReplySaid() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      killAgainAndAgain(Map.of("WEIR_STORE", redis.url(), "WEIR_SECRET", "of the tests"));
    }
  }

  @Test
  void onRocksDbNoBucketHasMoreThanTheLastReplySaid() throws Exception {
    killAgainAndAgain(Map.of());
  }

  private void killAgainAndAgain(Map<String, String> settings) throws Exception {
    int kills = Seeds.deep() ? 20 : 1;
    Map<String, String> all = new HashMap<>(settings);
    Path token = Files.writeString(home.resolve("token"), TOKEN);
    all.put("WEIR_SERVER_ADMIN_TOKEN", token.toString());
    all.put("WEIR_SERVER_LISTENERS", "http,redis");
    // What a node decides without its store isn't in the store.
    all.put("WEIR_STORE_TIMEOUT", "10s");
    for (int kill = 0; kill <= kills; kill++) {
      try (ServerProcess server =
          ServerProcess.start(ServerProcess.command(), home.resolve("data"), all)) {
        String http = server.awaitLine("http");
        String redis = server.awaitLine("redis");
        server.awaitLine("ready");
        if (kill == 0) {
          makeRule(http);
        } else {
          compare(redis);
        }
        if (kill < kills) {
          load(server, http, redis);
        }
        server.kill();
      }
    }
    assertEquals(3 * CALLERS, left.size());
  }

  private static HttpResponse<String> post(HttpClient client, String url, String body)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create(url))
            .header("Authorization", "Bearer " + TOKEN)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static void makeRule(String http) throws Exception {
    String rule =
        """
        {"name": "posts", "tier": "free", "endpointPattern": "/api/posts",
         "limitCount": %d, "windowSeconds": 3600}
        """
            .replace("%d", String.valueOf(LIMIT));
    HttpClient client = HttpClient.newHttpClient();
    assertEquals(201, post(client, http + "/v1/admin/ratelimit/rules", rule).statusCode());
  }

  private void load(ServerProcess server, String http, String redis) throws Exception {
    AtomicLong replies = new AtomicLong();
    List<Asking> ways =
        List.of(
            byHttp(http),
            byRedis(redis, "WEIR.CHECK"),
            byRedis(redis, "RL.REDUCE"),
            byRedis(redis, "CL.THROTTLE"));
    ExecutorService threads = Executors.newFixedThreadPool(ways.size());
    List<Future<?>> asking = new ArrayList<>();
    for (Asking each : ways) {
      asking.add(
          threads.submit(
              () -> {
                each.until(replies);
                return null;
              }));
    }
    while (replies.get() < ENOUGH || left.size() < 3 * CALLERS) {
      assertTrue(server.isAlive(), () -> "it ended by itself: " + server.lines());
      assertFalse(asking.stream().allMatch(Future::isDone), "all clients have failed");
      TimeUnit.MILLISECONDS.sleep(5);
    }
    server.kill();
    for (Future<?> each : asking) {
      each.get();
    }
    threads.shutdown();
  }

  private void note(String bucket, long remaining) {
    synchronized (left) {
      left.merge(bucket, remaining, Math::min);
      admitted.merge(bucket, 1L, Long::sum);
    }
  }

  private Asking byHttp(String http) {
    ObjectMapper json = new ObjectMapper();
    HttpClient client = HttpClient.newHttpClient();
    return replies -> {
      try {
        for (int i = 0; ; i++) {
          String user = "caller" + i % CALLERS;
          HttpResponse<String> reply =
              post(
                  client,
                  http + "/v1/ratelimit/check",
                  "{\"userId\":\"" + user + "\",\"endpoint\":\"/api/posts\"}");
          assertEquals(200, reply.statusCode());
          note("WEIR.CHECK " + user, json.readTree(reply.body()).get("remaining").asLong());
          replies.incrementAndGet();
        }
      } catch (IOException killed) {
        // as is planned
      }
    };
  }

  private Asking byRedis(String address, String command) {
    return replies -> {
      try (Jedis client = client(address);
          Pipeline pipeline = client.pipelined()) {
        for (int i = 0; ; i++) {
          String caller = "caller" + i % CALLERS;
          List<Response<Object>> together = new ArrayList<>();
          for (int each = 0; each < PIPELINED; each++) {
            together.add(pipeline.sendCommand(() -> bytes(command), words(command, caller)));
          }
          pipeline.sync();
          for (Response<Object> each : together) {
            note(command + " " + caller, remaining(each.get()));
            replies.incrementAndGet();
          }
        }
      } catch (JedisConnectionException killed) {
        // as is planned
      }
    };
  }

  private static Jedis client(String address) {
    return new Jedis(
        HostAndPort.from(address),
        DefaultJedisClientConfig.builder().password(TOKEN).socketTimeoutMillis(60_000).build());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static String[] words(String command, String caller) {
    return switch (command) {
      case "WEIR.CHECK" -> new String[] {caller, "/api/posts"};
      case "RL.REDUCE" -> new String[] {caller, String.valueOf(LIMIT), "360000"};
      default -> new String[] {caller, String.valueOf(LIMIT), "1", "1000"};
    };
  }

  /**
   * Returns the tokens that remain after a command, since RL.REDUCE replies with those before it.
   */
  private static long remaining(Object reply) {
    return reply instanceof Long before ? before - 1 : (Long) ((List<?>) reply).get(2);
  }

  /** Takes one more from each bucket. */
  private void compare(String address) {
    try (Jedis client = client(address)) {
      Map<String, Long> told = Map.copyOf(left);
      told.forEach(
          (bucket, before) -> {
            String[] words = bucket.split(" ");
            long now =
                remaining(client.sendCommand(() -> bytes(words[0]), words(words[0], words[1])));
            String found = bucket + ": " + now + " are left, " + before + " were before";
            assertTrue(now < before, found);
            assertTrue(now <= LIMIT - admitted.get(bucket), found);
            note(bucket, now);
          });
    }
  }
}
