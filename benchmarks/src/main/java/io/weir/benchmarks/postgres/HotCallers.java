package io.weir.benchmarks.postgres;

import io.weir.annotation.Algorithm;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.redis.Contender;
import io.weir.benchmarks.redis.HotRace;
import io.weir.benchmarks.redis.WeirLimiter;
import io.weir.compat.redis.Distance;
import io.weir.compat.redis.RedisServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Requests of callers that come often, over one database. */
final class HotCallers {
  private static final String UPSERT = "upsert";
  private static final List<String> CONTENDERS =
      List.of(HotRace.WEIR, UPSERT, "select_for_update", "advisory_lock", "weir_on_redis");
  private static final String THREE_NODES = "postgres.hot.100_per_min.3nodes";
  private static final int NODES = 3;

  /** So much that all are admitted, or some would be refused more cheaply. */
  private static final long LIMIT = 20_000_000;

  private static final long SMALL_LIMIT = 100;

  private HotCallers() {}

  static List<String> figures() {
    List<String> all = new ArrayList<>();
    for (Surroundings each : Surroundings.values()) {
      all.addAll(HotRace.figures(figures(each), CONTENDERS));
    }
    all.addAll(HotRace.figures(THREE_NODES, List.of(HotRace.WEIR, UPSERT)));
    return all;
  }

  private static String figures(Surroundings surroundings) {
    return surroundings.figures() + ".hot";
  }

  private static HotRace race(String figures, Effort effort, int patienceSeconds) {
    return new HotRace(figures, effort.of(1, 3, 7), effort.of(50, 300, 500), patienceSeconds);
  }

  /** All contenders, with a limit that nobody reaches. */
  static void run(Database database, Surroundings surroundings, Effort effort, Report report)
      throws Exception {
    try (RedisServer redis = RedisServer.start();
        Distance toRedis = new Distance(redis.port(), surroundings.roundTrip())) {
      int port = surroundings.roundTrip().isZero() ? redis.port() : toRedis.port();
      List<Contender> all =
          List.of(
              WeirOnPostgres.node(database, surroundings, LIMIT),
              new Upsert(database, LIMIT),
              Bucket4jPostgres.selectForUpdate(database, LIMIT),
              Bucket4jPostgres.advisoryLock(database, LIMIT),
              WeirLimiter.hard(port, LIMIT, Algorithm.SLIDING_WINDOW));
      Map<String, Contender> contenders = new LinkedHashMap<>();
      for (int i = 0; i < all.size(); i++) {
        contenders.put(CONTENDERS.get(i), all.get(i));
      }
      race(figures(surroundings), effort, effort.of(0, 3, 8)).run(contenders, report);
    }
  }

  /** Three nodes and a limit that all callers exceed, so that most requests are refused. */
  static void runThreeNodes(Database database, Effort effort, Report report) throws Exception {
    Surroundings surroundings = Surroundings.ASYNCHRONOUS;
    Map<String, Contender> contenders = new LinkedHashMap<>();
    contenders.put(
        HotRace.WEIR, nodes(() -> WeirOnPostgres.node(database, surroundings, SMALL_LIMIT)));
    contenders.put(UPSERT, nodes(() -> new Upsert(database, SMALL_LIMIT)));
    race(THREE_NODES, effort, effort.of(0, 1, 2)).run(contenders, report);
  }

  private static Contender nodes(Supplier<Contender> maker) {
    return new Nodes(Stream.generate(maker).limit(NODES).toList());
  }
}
