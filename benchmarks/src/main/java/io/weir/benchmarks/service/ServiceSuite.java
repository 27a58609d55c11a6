package io.weir.benchmarks.service;

import io.weir.benchmarks.BenchmarkSuite;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Samples;
import io.weir.benchmarks.Table;
import io.weir.compat.redis.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Measures the decision service by each protocol, beside a Redis and beside constant answers. */
public final class ServiceSuite implements BenchmarkSuite {
  private static final String MEMORY = "inprocess:";
  private static final String SMALL_HEAP = "-Xmx256m";
  private static final double HALF = 0.5;
  private static final double MILLIS = 1e-3;

  private static final String SCRIPT =
      """
      local most = tonumber(ARGV[1])
      local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'time')
      local clock = redis.call('TIME')
      local now = clock[1] + clock[2] / 1000000
      local tokens = tonumber(bucket[1])
      if tokens then
        tokens = math.min(most, tokens + (now - bucket[2]) * ARGV[2])
      else
        tokens = most
      end
      if tokens < tonumber(ARGV[3]) then
        return -1
      end
      tokens = tokens - ARGV[3]
      redis.call('HSET', KEYS[1], 'tokens', tokens, 'time', now)
      redis.call('EXPIRE', KEYS[1], math.ceil(most / ARGV[2]))
      return math.floor(tokens)
      """;

  private final List<List<String>> rows = new ArrayList<>();

  /** Makes it. */
  public ServiceSuite() {}

  @Override
  public String name() {
    return "service";
  }

  @Override
  public String about() {
    return "The decision service on loopback: its Redis protocol beside a token bucket in Lua in a"
        + " real Redis, its gRPC and HTTP beside the same listeners with constant answers, RocksDB"
        + " beside memory, ten million buckets beside a hundred thousand, and what a decision takes"
        + " at half of the highest rate.";
  }

  @Override
  public List<String> figures() {
    return List.of(
        "service.reduce.pipelined.vs_lua",
        "service.throttle.pipelined.vs_lua",
        "service.reduce.single.vs_lua",
        "service.reduce.single.p99_vs_lua",
        "service.grpc.vs_constant",
        "service.check.vs_constant",
        "service.rocksdb.vs_memory",
        "service.rocksdb.pipelined.vs_memory",
        "service.rocksdb.10m",
        "service.rocksdb.10m_lost",
        "service.p99_ms");
  }

  @Override
  public void run(Effort effort, Report report) throws Exception {
    int callers = effort.of(1_000, 100_000, 100_000);
    report.setting("connections", Side.CONNECTIONS + "; gRPC 4, with as many calls at a time");
    report.setting("pipelined", "by " + Side.DEPTH);
    report.setting("callers", callers + ", gRPC and POST /check " + ServedService.USERS);
    rows.clear();
    besideLua(effort, report, callers);
    besideConstant(effort, report);
    besideMemory(effort, report, callers);
    tenMillion(effort, report);
    latency(effort, report);
    report.table(
        new Table(
            "All loads, with the processor's time that a request takes the load itself",
            List.of("load", "requests a second", "p50 us", "p99 us", "load's cpu us"),
            rows));
  }

  private void besideLua(Effort effort, Report report, int callers) throws IOException {
    try (RedisServer redis = RedisServer.start();
        ServedService served = ServedService.with(MEMORY)) {
      String lua = "127.0.0.1:" + redis.port();
      String sha = redis.ask("SCRIPT", "LOAD", SCRIPT).strip().replace("\"", "");
      int depth = Side.DEPTH;
      try (Side reduce =
              Side.of("RL.REDUCE, pipelined", RequestKind.REDUCE, served, callers, depth);
          Side throttle =
              Side.of("CL.THROTTLE, pipelined", RequestKind.THROTTLE, served, callers, depth);
          Side script = Side.of("Lua, pipelined", RequestKind.SCRIPT, lua, sha, callers, depth)) {
        Side.inTurns(effort, report, reduce, script, throttle);
        tell(report, "service.reduce.pipelined.vs_lua", reduce.rate().over(script.rate()));
        tell(report, "service.throttle.pipelined.vs_lua", throttle.rate().over(script.rate()));
        add(reduce, throttle, script);
      }
      try (Side reduce = Side.of("RL.REDUCE", RequestKind.REDUCE, served, callers, 1);
          Side script = Side.of("Lua", RequestKind.SCRIPT, lua, sha, callers, 1)) {
        Side.inTurns(effort, report, reduce, script);
        tell(report, "service.reduce.single.vs_lua", reduce.rate().over(script.rate()));
        tell(report, "service.reduce.single.p99_vs_lua", reduce.p99().over(script.p99()));
        add(reduce, script);
      }
    }
  }

  private void besideConstant(Effort effort, Report report) throws IOException {
    try (ServedService served = ServedService.with(MEMORY);
        ServedService constant = ServedService.constant()) {
      vsConstant(effort, report, "service.grpc.vs_constant", RequestKind.ENVOY, served, constant);
      vsConstant(
          effort, report, "service.check.vs_constant", RequestKind.HTTP_CHECK, served, constant);
    }
  }

  private void vsConstant(
      Effort effort,
      Report report,
      String figure,
      RequestKind kind,
      ServedService served,
      ServedService constant)
      throws IOException {
    try (Side real = Side.of(kind.text(), kind, served, ServedService.USERS, 1);
        Side beside = Side.of(kind.text() + ", constant", kind, constant, ServedService.USERS, 1)) {
      Side.inTurns(effort, report, real, beside);
      tell(report, figure, real.rate().over(beside.rate()));
      add(real, beside);
    }
  }

  private void besideMemory(Effort effort, Report report, int callers) throws IOException {
    Path directory = Files.createTempDirectory("weir-benchmark");
    try (ServedService memory = ServedService.with(MEMORY);
        ServedService disk = ServedService.with("rocksdb:" + directory)) {
      Samples one = worse(effort, report, memory, disk, callers, 1);
      Samples many = worse(effort, report, memory, disk, callers, Side.DEPTH);
      tell(report, "service.rocksdb.vs_memory", one);
      tell(report, "service.rocksdb.pipelined.vs_memory", many);
    } finally {
      delete(directory);
    }
  }

  /** Returns the worse of both commands. */
  private Samples worse(
      Effort effort,
      Report report,
      ServedService memory,
      ServedService disk,
      int callers,
      int depth)
      throws IOException {
    Samples check = ratio(effort, report, RequestKind.WEIR_CHECK, memory, disk, callers, depth);
    Samples reduce = ratio(effort, report, RequestKind.REDUCE, memory, disk, callers, depth);
    return check.median() < reduce.median() ? check : reduce;
  }

  private Samples ratio(
      Effort effort,
      Report report,
      RequestKind kind,
      ServedService memory,
      ServedService disk,
      int callers,
      int depth)
      throws IOException {
    String name = kind.text() + (depth > 1 ? ", pipelined" : "");
    try (Side inMemory = Side.of(name + ", memory", kind, memory, callers, depth);
        Side onDisk = Side.of(name + ", RocksDB", kind, disk, callers, depth)) {
      onDisk.fill(report);
      inMemory.fill(report);
      Side.inTurns(effort, report, onDisk, inMemory);
      add(inMemory, onDisk);
      return onDisk.rate().over(inMemory.rate());
    }
  }

  private void tenMillion(Effort effort, Report report) throws IOException {
    int few = effort.of(1_000, 100_000, 100_000);
    int many = effort.of(2_000, 200_000, 10_000_000);
    report.setting("many buckets", many + " with " + SMALL_HEAP);
    Path directory = Files.createTempDirectory("weir-benchmark");
    try {
      String store = "rocksdb:" + directory;
      try (ServedService served = ServedService.with(store, SMALL_HEAP)) {
        try (Side filling =
            Side.of("RL.REDUCE, new buckets", RequestKind.REDUCE, served, many, Side.DEPTH)) {
          filling.once(report);
          add(filling);
        }
        try (Side ofFew = Side.of("RL.REDUCE, few of many", RequestKind.REDUCE, served, few, 1);
            Side ofMany = Side.of("RL.REDUCE, all of many", RequestKind.REDUCE, served, many, 1)) {
          Side.inTurns(effort, report, ofFew, ofMany);
          tell(report, "service.rocksdb.10m", ofMany.rate().over(ofFew.rate()));
          add(ofFew, ofMany);
        }
        served.stop();
      }
      try (ServedService again = ServedService.with(store, SMALL_HEAP);
          Side reading =
              Side.of("RL.GET, started again", RequestKind.GET, again, many, Side.DEPTH)) {
        reading.once(report);
        add(reading);
        report.figure("service.rocksdb.10m_lost", reading.full(), "buckets");
      }
    } finally {
      delete(directory);
    }
  }

  private void latency(Effort effort, Report report) throws IOException {
    try (RedisServer redis = RedisServer.start();
        ServedService served = ServedService.withPostgres(redis.url())) {
      List<Samples> all = new ArrayList<>();
      List<RequestKind> kinds =
          List.of(RequestKind.HTTP_CHECK, RequestKind.ENVOY, RequestKind.WEIR_CHECK);
      for (RequestKind kind : kinds.subList(0, effort.of(1, 3, 3))) {
        String name = kind.text() + ", Redis and PostgreSQL";
        try (Side fastest = Side.of(name, kind, served, ServedService.USERS, 1)) {
          Side.inTurns(effort, report, fastest);
          Side half = fastest.alsoAs(name + ", half the rate");
          for (int round = 0; round < effort.of(1, 2, 5); round++) {
            half.measure(effort, report, fastest.rate().median() * HALF);
          }
          all.add(half.p99());
          add(fastest, half);
        }
      }
      Samples worst = Collections.max(all, Comparator.comparingDouble(Samples::median));
      report.figure("service.p99_ms", worst.times(MILLIS), "ms");
    }
  }

  private static void tell(Report report, String name, Samples ratio) {
    report.figure(name, ratio, "x");
  }

  private void add(Side... sides) {
    for (Side each : sides) {
      rows.add(each.row());
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
