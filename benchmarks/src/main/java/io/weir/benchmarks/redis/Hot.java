package io.weir.benchmarks.redis;

import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.compat.redis.RedisServer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Requests of callers that come often, over one Redis. */
final class Hot {
  private static final String FIGURES = "redis.hot";

  /** So much that all are admitted, or some would be refused more cheaply. */
  private static final long LIMIT = 20_000_000;

  private Hot() {}

  private static Map<String, Contender.Maker> makers() {
    Map<String, Contender.Maker> makers = new LinkedHashMap<>();
    makers.put(HotRace.WEIR, WeirLimiter::hard);
    makers.put("script", ScriptEach::new);
    makers.put("delaying", Bucket4jRedis::delaying);
    makers.put("redisson", RedissonLimiter::new);
    makers.put("bucket4j", Bucket4jRedis::plain);
    return makers;
  }

  static List<String> figures() {
    return HotRace.figures(FIGURES, makers().keySet());
  }

  static void run(Effort effort, Report report) throws Exception {
    HotRace race =
        new HotRace(FIGURES, effort.of(1, 3, 9), effort.of(50, 500, 1_000), effort.of(0, 8, 8));
    try (RedisServer server = RedisServer.start()) {
      Map<String, Contender> contenders = new LinkedHashMap<>();
      makers()
          .forEach(
              (name, maker) ->
                  contenders.put(name, maker.make(server.port(), HotRace.THREADS, LIMIT)));
      race.run(contenders, report);
    }
  }
}
