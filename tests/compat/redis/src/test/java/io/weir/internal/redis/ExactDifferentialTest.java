package io.weir.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.compat.redis.ClusterSetup;
import io.weir.compat.redis.RedisServer;
import io.weir.seeds.Seeds;
import io.weir.store.ExactArithmetic;
import io.weir.store.ExactBucketId;
import io.weir.store.ExactBuckets;
import io.weir.store.ExactRequest;
import io.weir.store.GcraRequest;
import io.weir.store.LiveExactBucket;
import io.weir.store.PermitStore;
import io.weir.store.StepRefillRequest;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;

/** The scripts that count exactly reply on a real Redis what the arithmetic in Java replies. */
class ExactDifferentialTest {
  private static final String CLOCK = "local time = redis.call('TIME')";
  private static final int REQUESTS = 60;
  private static final long START = 1_700_000_000_000_000L;

  private final String prefix = RedisServer.prefix();
  private final BucketKeyEncoder keys = new BucketKeyEncoder(prefix, "a secret");

  private ExactRequestCodec scripts() {
    String line = "local time = {0, redis.call('GET', '" + prefix + "-clock')}";
    return new ExactRequestCodec(
        text ->
            ScriptRig.replace(text, CLOCK, line)
                .replace("time[1] * 1000 + (", "(")
                .replace("string.format('%d', ", "string.format('%d', 3600000 + "));
  }

  @Test
  void repliesInRedisAreThoseOfJava() {
    ExactRequestCodec scripts = scripts();
    try (Jedis jedis = new Jedis(URI.create(RedisServer.shared()))) {
      Seeds.each(500, random -> compare(jedis, scripts, random));
    }
    System.out.println("first seed " + Seeds.first());
  }

  private void compare(Jedis jedis, ExactRequestCodec scripts, Random random) {
    byte[] name = ("bucket " + random.nextLong()).getBytes(UTF_8);
    Map<ExactBucketId, LiveExactBucket> ours = new HashMap<>();
    List<ExactRequest<?>> requests = new ArrayList<>();
    List<Object> expected = new ArrayList<>();
    List<Response<Object>> replies = new ArrayList<>();
    long now = START + random.nextInt(1_000_000_000);
    Supply supply = new Supply(random, name);
    try (Pipeline pipeline = jedis.pipelined()) {
      for (int i = 0; i < REQUESTS; i++) {
        now += supply.pause();
        ExactRequest<?> request = supply.next(now);
        requests.add(request);
        expected.add(
            ours.computeIfAbsent(request.bucket(), ExactArithmetic::fresh).execute(request, now));
        pipeline.set(prefix + "-clock", Long.toString(now));
        replies.add(
            pipeline.eval(
                scripts.script(request).text(),
                List.of(keys.of(request.bucket())),
                scripts.args(request)));
      }
    }
    for (int i = 0; i < requests.size(); i++) {
      Object reply = scripts.read(requests.get(i), replies.get(i).get());
      assertEquals(expected.get(i), reply, "request " + i);
    }
  }

  /** Random requests of one bucket, which has its parameters for a while. */
  private static final class Supply {
    private final Random random;
    private final byte[] name;
    private final boolean steps;
    private long max;
    private long each;
    private long period;

    Supply(Random random, byte[] name) {
      this.random = random;
      this.name = name;
      this.steps = random.nextBoolean();
      change();
    }

    private void change() {
      long[] sizes = {1, 2, 5, 20, 1_000, 1_000_003, 1L << 40, 1L << 52};
      long most = sizes[random.nextInt(sizes.length)];
      max = 1 + Math.floorMod(random.nextLong(), most);
      each = 1 + Math.floorMod(random.nextLong(), random.nextBoolean() ? 10 : most);
      period = 1 + Math.floorMod(random.nextLong(), random.nextBoolean() ? 5_000 : most);
      if (!steps) {
        while (!GcraRequest.isInRange(max, each, period, 0)) {
          max = max / 2;
          each = Math.max(1, each / 2);
          period = Math.max(1, period / 2);
        }
      }
    }

    long pause() {
      double scale = steps ? 1_000.0 * period : 1_000_000.0 * period / each;
      long usual = (long) Math.min(random.nextDouble() * 2 * scale, 1e13);
      return switch (random.nextInt(6)) {
        case 0 -> 0;
        case 1 -> -random.nextInt(100_000); // a clock that is set back
        case 2 -> random.nextInt(1_000);
        default -> usual;
      };
    }

    ExactRequest<?> next(long now) {
      long take = Math.floorMod(random.nextLong(), Math.min(max + 3, random.nextInt(4) + 2));
      if (random.nextInt(10) == 0) {
        take = Math.floorMod(random.nextLong(), max);
      }
      if (!steps) {
        return new GcraRequest(name, max, each, period, take);
      }
      StepRefillRequest.Builder request =
          StepRefillRequest.builder(name, max, period)
              .refill(each)
              .take(take)
              .strict(random.nextInt(3) == 0);
      if (random.nextInt(5) == 0) {
        request.at(Math.min(1L << 52, Math.max(0, now / 1_000 + random.nextInt(10_000) - 5_000)));
      }
      return request.build();
    }
  }

  /** The store replies the same over its connections, and keeps buckets for as long as it says. */
  @Test
  void keysLiveUntilTheBucketMayGo() {
    try (PermitStore store = open(RedisServer.shared());
        Jedis jedis = new Jedis(URI.create(RedisServer.shared()))) {
      StepRefillRequest reduce =
          StepRefillRequest.builder(new byte[] {1}, 10, 60_000).refill(4).take(1).build();
      assertEquals(10, ask(store, reduce).tokens());
      assertEquals(9, ask(store, reduce).tokens());
      long life = jedis.pttl(keys.of(reduce.bucket()));
      assertTrue(life > 170_000 && life <= 180_000, () -> life + " ms");
      GcraRequest throttle = new GcraRequest(new byte[] {1}, 5, 6, 60, 3);
      assertEquals(3, ask(store, throttle).remaining());
      long cells = jedis.pttl(keys.of(throttle.bucket()));
      assertTrue(cells > 25_000 && cells <= 30_002, () -> cells + " ms");
      GcraRequest tooMuch = new GcraRequest(new byte[] {2}, 5, 6, 60, 7);
      assertTrue(ask(store, tooMuch).limited());
      assertEquals(-2, jedis.pttl(keys.of(tooMuch.bucket())));
      jedis.lpush(keys.of(tooMuch.bucket()), new byte[] {1});
      CompletableFuture<?> refused =
          store.exactBuckets().orElseThrow().execute(tooMuch).toCompletableFuture();
      assertTrue(refused.handle((reply, why) -> why != null).join());
    }
  }

  @Test
  void manyAtOnceAreAnsweredEachByItsOwn() {
    try (PermitStore store = open(RedisServer.shared())) {
      assertAllAreTaken(store);
    }
  }

  @Test
  void aClusterCountsAsWell() {
    try (ClusterSetup cluster = ClusterSetup.start();
        PermitStore store = open(cluster.url())) {
      assertAllAreTaken(store);
    }
  }

  private static void assertAllAreTaken(PermitStore store) {
    ExactBuckets buckets = store.exactBuckets().orElseThrow();
    Map<Integer, Integer> sums = new HashMap<>();
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      int bucket = i % 20;
      StepRefillRequest request =
          StepRefillRequest.builder(new byte[] {(byte) bucket}, 100, 3_600_000).take(1).build();
      all.add(
          buckets
              .execute(request)
              .toCompletableFuture()
              .thenAccept(
                  reply -> {
                    synchronized (sums) {
                      sums.merge(bucket, (int) reply.tokens(), Integer::sum);
                    }
                  }));
    }
    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .orTimeout(60, TimeUnit.SECONDS)
        .join();
    assertEquals(20, sums.size());
    sums.values().forEach(sum -> assertEquals(100 * 101 / 2, sum));
  }

  private PermitStore open(String url) {
    Map<String, String> settings =
        Map.of("weir.prefix", prefix, "weir.secret", "a secret", "weir.store.timeout", "10s");
    return new RedisProvider()
        .open(URI.create(url), name -> settings.getOrDefault(name, ""), Ticker.system());
  }

  private static <R> R ask(PermitStore store, ExactRequest<R> request) {
    return store
        .exactBuckets()
        .orElseThrow()
        .execute(request)
        .toCompletableFuture()
        .orTimeout(120, TimeUnit.SECONDS)
        .join();
  }
}
