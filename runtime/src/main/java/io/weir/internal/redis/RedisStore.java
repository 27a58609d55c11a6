package io.weir.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.Ticker;
import io.weir.internal.redis.connection.EvalCall;
import io.weir.internal.redis.connection.Failure;
import io.weir.internal.redis.connection.FailureKind;
import io.weir.internal.redis.connection.RedisConnections;
import io.weir.internal.store.StoreFailureLog;
import io.weir.internal.store.StoreUnavailableException;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.DataLossException;
import io.weir.store.Epoch;
import io.weir.store.ExactBuckets;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Keeps buckets in a Redis that several nodes share: a single server, one behind sentinels, or a
 * cluster.
 *
 * <p>Claims are sent as calls of scripts, many at a time, on the store's own threads, or on one
 * that waits for its own answer; a partition is a master. Calls that may have been executed are
 * never sent again. All claims fail together if Redis isn't reached or rejects everything; a claim
 * fails alone if its key is at fault or its master is down. Failures that an operator has to fix
 * are logged once.
 *
 * <p>Safe for concurrent use.
 */
final class RedisStore implements LeasingStore {
  /**
   * The most claims of a call, so that other clients of Redis needn't wait long for a script to
   * end.
   */
  private static final int MAX_CLAIMS = 64;

  private static final long POLL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final RedisScript forget = RedisScript.read("forget.lua");
  private final RedisScript mark = RedisScript.read("mark.lua");
  private final RedisConnections connections;
  private final BucketKeyEncoder keys;
  private final Scripts scripts;
  private final StoreFailureLog log;
  private final NodeRegistry nodes;
  private final EvictionCheck eviction;
  private final NamespaceMismatchDetector separateClusters;
  private final TzdataVersionCheck zones;
  private final EpochReader epochs;
  private final RedisExactBuckets exact;
  private final Ticker ticker;
  private volatile long polledAt;

  RedisStore(RedisConnections connections, BucketKeyEncoder keys, Scripts scripts, Ticker ticker) {
    this.connections = connections;
    this.keys = keys;
    this.scripts = scripts;
    this.log = new StoreFailureLog(describe(), ticker);
    this.ticker = ticker;
    this.polledAt = ticker.nanoTime();
    byte[] nodesKey = keys.named("nodes");
    this.nodes = new NodeRegistry(call -> send(nodesKey, call), nodesKey, ticker);
    this.eviction = new EvictionCheck(connections);
    this.separateClusters = new NamespaceMismatchDetector(connections, keys);
    this.zones = new TzdataVersionCheck(connections, keys.named("zones"));
    this.epochs = new EpochReader(connections, keys);
    this.exact = new RedisExactBuckets(connections, keys, this::failed, log::answered);
  }

  @Override
  public String describe() {
    return connections.describe();
  }

  @Override
  public long minLifeMicros() {
    return Scripts.MIN_LIFE_MICROS;
  }

  @Override
  public boolean grantsFarLeases() {
    return true;
  }

  @Override
  public boolean counts(BucketSpec spec) {
    return true;
  }

  @Override
  public CompletionStage<?> connect() {
    return connections
        .connect(this::failed)
        .thenAccept(
            failure -> {
              if (failure.isPresent()) {
                throw new StoreUnavailableException(failure.get().text());
              }
            });
  }

  /**
   * Computes the bucket's name on the thread that is about to claim, not on the one that sends the
   * claims of all.
   */
  @Override
  public int partition(BucketId bucket) {
    if (connections.spread()) {
      return connections.partition(keys.of(bucket));
    }
    keys.prepare(bucket);
    return 0;
  }

  @Override
  public boolean hasPartition(int partition) {
    return connections.has(partition);
  }

  @Override
  public CompletionStage<Epoch> epoch(int partition, Epoch known) {
    pollIfDue();
    EpochReader.Question asked = epochs.ask(partition, known);
    return send(partition, asked.call()).thenApply(any -> asked.answer());
  }

  private CompletionStage<EvalCall> send(byte[] key, EvalCall call) {
    return send(connections.partition(key), call);
  }

  /** Completes exceptionally if the call fails. */
  private CompletionStage<EvalCall> send(int partition, EvalCall call) {
    return connections
        .send(partition, List.of(call))
        .thenApply(
            any -> {
              Optional<Failure> failure = call.failure();
              if (failure.isPresent()) {
                failed(partition, failure.get());
                throw new StoreUnavailableException(failure.get().text());
              }
              return call;
            });
  }

  /** Asks for the masters as well: nodes of another region send no heartbeat, only this. */
  @Override
  public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    pollIfDue();
    return execute(claims, Optional.empty(), Map.of(), 0, () -> {});
  }

  /**
   * A single Redis checks its epoch in the same call that executes the claims. In a cluster a call
   * can only have keys of one slot, so the epoch is read afterwards, over the same connection: if
   * it is unchanged then, it was unchanged while the claims were executed.
   */
  @Override
  public CompletionStage<List<Optional<Grant>>> execute(
      int partition, Epoch epoch, List<Claim> claims) {
    return executeBlocking(partition, epoch, claims, 0, () -> {});
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> executeBlocking(
      int partition, Epoch epoch, List<Claim> claims, long mostMicros, Runnable meanwhile) {
    Optional<EpochToken> token = epochs.token(partition, epoch);
    return token.isPresent() && connections.spread()
        ? execute(claims, Optional.empty(), Map.of(partition, epoch), mostMicros, meanwhile)
        : execute(claims, token, Map.of(), mostMicros, meanwhile);
  }

  private CompletionStage<List<Optional<Grant>>> execute(
      List<Claim> claims,
      Optional<EpochToken> named,
      Map<Integer, Epoch> asked,
      long mostMicros,
      Runnable meanwhile) {
    zones.note(claims);
    Answers batch = new Answers(claims.size());
    if (!connections.spread()) {
      List<ScriptCall> calls = ScriptCall.of(claims, keys, MAX_CLAIMS, named);
      return send(0, calls, Optional.empty(), batch, mostMicros, meanwhile)
          .thenApply(any -> batch.answers());
    }
    Map<Integer, List<ScriptCall>> byPartition = new LinkedHashMap<>();
    for (ScriptCall call : ScriptCall.of(claims, keys, 1, named)) {
      int partition = connections.partition(call.keys().get(0));
      byPartition.computeIfAbsent(partition, any -> new ArrayList<>()).add(call);
    }
    // Several partitions, because keys have moved meanwhile, mustn't wait for each other.
    long most = byPartition.size() == 1 ? mostMicros : 0;
    List<CompletableFuture<?>> parts = new ArrayList<>();
    byPartition.forEach(
        (partition, calls) -> {
          Optional<Epoch> known = Optional.ofNullable(asked.get(partition));
          parts.add(send(partition, calls, known, batch, most, meanwhile).toCompletableFuture());
        });
    return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
        .thenApply(any -> batch.answers());
  }

  private CompletionStage<?> send(
      int partition,
      List<ScriptCall> calls,
      Optional<Epoch> known,
      Answers batch,
      long mostMicros,
      Runnable meanwhile) {
    Optional<EpochReader.Question> last = known.map(epoch -> epochs.ask(partition, epoch));
    List<EvalCall> sent = new ArrayList<>(calls.size() + 1);
    for (ScriptCall each : calls) {
      sent.add(scripts.of(each.script()).call(each.keys(), each.args()));
    }
    last.ifPresent(question -> sent.add(question.call()));
    CompletionStage<?> answered =
        mostMicros > 0
            ? connections.sendBlocking(partition, sent, mostMicros, meanwhile)
            : connections.send(partition, sent);
    return answered.thenRun(
        () -> {
          for (int i = 0; i < calls.size(); i++) {
            read(partition, calls.get(i), sent.get(i), batch);
          }
          last.ifPresent(question -> compare(partition, question, batch));
        });
  }

  private void compare(int partition, EpochReader.Question last, Answers batch) {
    Optional<Failure> failure = last.call().failure();
    if (failure.isPresent()) {
      failed(partition, failure.get());
      batch.unsure = failure;
    } else if (!last.confirms()) {
      batch.otherData = true;
    }
  }

  private void read(int partition, ScriptCall call, EvalCall sent, Answers batch) {
    if (sent.failure().isPresent()) {
      batch.whole = sent.failure(); // whatever it is, it isn't about one key
      failed(partition, sent.failure().get());
      return;
    }
    if (call.isOfOtherData(sent.reply())) {
      batch.otherData = true;
      return;
    }
    call.read(
        sent.reply(),
        batch.grants,
        error -> {
          batch.failed(Failure.of(error));
          failed(partition, Failure.of(error));
        });
  }

  private void failed(int partition, Failure why) {
    connections.react(partition, why.trouble());
    FailureKind kind = why.trouble();
    if (!kind.passes()) {
      log.failed(kind.name(), kind.advice(), "Redis says: " + why.text());
    }
  }

  @Override
  public long silentMicros(int partition) {
    return TimeUnit.NANOSECONDS.toMicros(connections.silent(partition));
  }

  /** Also between heartbeats, which are farther apart where there are many nodes. */
  private void pollIfDue() {
    long now = ticker.nanoTime();
    if (now - polledAt >= POLL_NANOS) {
      poll(now);
    }
  }

  private void poll(long now) {
    polledAt = now;
    connections.poll();
  }

  @Override
  public CompletionStage<Optional<String>> mark(Optional<String> own) {
    byte[] key = keys.named("mark");
    List<byte[]> args = own.map(text -> List.of(text.getBytes(US_ASCII))).orElse(List.of());
    return send(key, mark.call(List.of(key), args))
        .thenApply(
            call ->
                call.reply() instanceof byte[] kept
                    ? Optional.of(new String(kept, US_ASCII))
                    : Optional.empty());
  }

  @Override
  public CompletionStage<Membership> heartbeat(String node) {
    poll(ticker.nanoTime());
    return nodes
        .heartbeat(node)
        .thenApply(
            membership -> {
              eviction.beat();
              separateClusters.beat(node, membership.live());
              zones.beat(membership.live());
              return membership;
            });
  }

  @Override
  public CompletionStage<?> leave(String node) {
    return nodes.leave(node).thenCombine(separateClusters.leave(node), (gone, too) -> gone);
  }

  @Override
  public CompletionStage<?> forget(BucketId bucket) {
    byte[] key = keys.of(bucket);
    return send(key, forget.call(List.of(key), List.of()));
  }

  @Override
  public Optional<ExactBuckets> exactBuckets() {
    return Optional.of(exact);
  }

  @Override
  public long size() {
    return 0;
  }

  @Override
  public void close() {
    connections.close();
  }

  /** Collects the answers to the claims of one {@link #execute}. */
  private final class Answers {
    private final List<Optional<Grant>> grants;
    private volatile Optional<Failure> whole = Optional.empty();
    private volatile Optional<Failure> unsure = Optional.empty();
    private volatile boolean otherData;

    Answers(int claims) {
      grants = new ArrayList<>(java.util.Collections.nCopies(claims, Optional.empty()));
    }

    void failed(Failure why) {
      if (!why.trouble().ofOneKey()) {
        whole = Optional.of(why);
      }
    }

    private boolean isAnyGranted() {
      for (Optional<Grant> each : grants) {
        if (each.isPresent()) {
          return true;
        }
      }
      return false;
    }

    List<Optional<Grant>> answers() {
      if (otherData) {
        throw new DataLossException();
      }
      if (unsure.isPresent()) {
        throw new StoreUnavailableException(unsure.get().text()); // which data the answers are from
      }
      if (isAnyGranted()) {
        log.answered();
      } else if (whole.isPresent()) {
        throw new StoreUnavailableException(whole.get().text());
      }
      return grants;
    }
  }
}
