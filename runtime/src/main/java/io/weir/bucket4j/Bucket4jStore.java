package io.weir.bucket4j;

import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Stores the buckets of TOKEN_BUCKET policies in any backend that Bucket4j has a {@link
 * ProxyManager} for: Hazelcast, Ignite, Infinispan, JCache, PostgreSQL, MySQL, Oracle, MongoDB and
 * more.
 *
 * <pre>{@code
 * ProxyManager<String> buckets = Bucket4jHazelcast.entryProcessorBasedBuilder(map).build();
 * Weir weir = Weir.builder().store(Bucket4jStore.of(buckets, name -> name)).build();
 * }</pre>
 *
 * <p>Each request calls the backend, usually with a single command: nodes lease nothing, so a
 * decision takes as long as the backend does, {@code overshoot} has no effect, and a busy bucket is
 * only as fast as its row or entry. {@code com.bucket4j:bucket4j_jdk17-core} must be on the class
 * path.
 *
 * <p><b>Guarantees.</b> Each claim runs atomically in its backend, so all nodes together admit at
 * most burst + ⌊limit × time ÷ window⌋ permits in any period, give or take one for the remainders
 * that Bucket4j drops or keeps when a bucket is full or hasn't been used for long. A debt takes the
 * bucket below zero. Permits that are given back are added unless they have been refilled
 * meanwhile, to the nearest whole permit, and never above the burst. {@code retry} is never too
 * early if the backend has one clock; if each node uses its own (the default of SQL backends),
 * differing clocks shift it by their difference. Times are in milliseconds.
 *
 * <p><b>Limitations.</b> When the effective limit changes (settings, tiers, ELASTIC), a bucket
 * keeps its tokens, up to the new burst: it then refuses more than other stores, and never admits
 * more than by the largest effective limit. A give-back with a stamp that the store never issued
 * may be credited. Bucket4j supports at most one permit per nanosecond; claims above that fail.
 * There is no circuit breaker: while the backend hangs, each request waits up to the store
 * time-out, and the policy's {@code onStoreFailure} decides.
 *
 * <p>The names of buckets are short and don't reveal callers: a prefix, the policy and an HMAC.
 * They expire only if the proxy manager has an {@code ExpirationAfterWriteStrategy}.
 *
 * <p>Safe for concurrent use.
 */
public final class Bucket4jStore implements PermitStore {
  private final Function<BucketId, String> names;
  private final BiFunction<String, BucketConfig, AsyncBucketProxy> buckets;
  private final Function<String, CompletableFuture<?>> remover;
  private final Executor executor;
  private final Runnable end;
  private volatile boolean closed;

  Bucket4jStore(
      Function<BucketId, String> names,
      BiFunction<String, BucketConfig, AsyncBucketProxy> buckets,
      Function<String, CompletableFuture<?>> remover,
      Executor executor,
      Runnable end) {
    this.names = names;
    this.buckets = buckets;
    this.remover = remover;
    this.executor = executor;
    this.end = end;
  }

  /**
   * Makes a store with default options.
   *
   * @param manager Bucket4j's access to the backend, which the store doesn't close
   * @param key makes the backend's key from a name of up to 160 letters, digits and {@code ._:-}
   * @param <K> the type of the backend's keys
   * @return a store for {@code Weir.builder().store(…)}
   */
  public static <K> Bucket4jStore of(ProxyManager<K> manager, Function<String, K> key) {
    return builder(manager, key).build();
  }

  /**
   * Starts a store with a secret, prefix or threads of your own.
   *
   * @param manager Bucket4j's access to the backend, which the store doesn't close
   * @param key makes the backend's key from a name of up to 160 letters, digits and {@code ._:-}
   * @param <K> the type of the backend's keys
   * @return a builder
   */
  public static <K> Bucket4jStoreBuilder<K> builder(
      ProxyManager<K> manager, Function<String, K> key) {
    return new Bucket4jStoreBuilder<>(manager, key);
  }

  /**
   * Returns the algorithms that Bucket4j supports.
   *
   * @return only TOKEN_BUCKET
   */
  @Override
  public Set<Algorithm> algorithms() {
    return Set.of(Algorithm.TOKEN_BUCKET);
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    if (closed) {
      return CompletableFuture.failedFuture(new IllegalStateException("the store is closed"));
    }
    List<CompletableFuture<Grant>> all = new ArrayList<>(claims.size());
    Map<BucketId, CompletableFuture<Grant>> latest = new HashMap<>();
    for (Claim claim : claims) {
      CompletableFuture<Grant> before = latest.get(claim.bucket());
      CompletableFuture<Grant> own =
          before == null
              ? exchange(claim)
              : before.handle((grant, failure) -> claim).thenCompose(this::exchange);
      latest.put(claim.bucket(), own);
      all.add(own);
    }
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .handle((done, failure) -> answers(all))
        .thenCompose(Function.identity());
  }

  private static CompletionStage<List<Optional<Grant>>> answers(
      List<CompletableFuture<Grant>> all) {
    if (!all.isEmpty() && all.stream().allMatch(CompletableFuture::isCompletedExceptionally)) {
      return all.get(0).thenApply(never -> List.of());
    }
    return CompletableFuture.completedFuture(
        all.stream()
            .map(each -> each.handle((grant, failure) -> Optional.ofNullable(grant)).join())
            .toList());
  }

  private CompletableFuture<Grant> exchange(Claim claim) {
    try {
      BucketConfig config = BucketConfig.of(claim);
      return CompletableFuture.completedFuture(claim)
          .thenComposeAsync(any -> exchange(claim, config), executor);
    } catch (RuntimeException refused) {
      return CompletableFuture.failedFuture(refused);
    }
  }

  private CompletableFuture<Grant> exchange(Claim claim, BucketConfig config) {
    AsyncBucketProxy bucket = buckets.apply(names.apply(claim.bucket()), config);
    return new BucketCall(bucket.asVerbose(), claim, config).run();
  }

  /** Removes the bucket from the backend. */
  @Override
  public CompletionStage<?> forget(BucketId bucket) {
    try {
      return CompletableFuture.completedFuture(names.apply(bucket))
          .thenComposeAsync(remover::apply, executor);
    } catch (RuntimeException refused) {
      return CompletableFuture.failedFuture(refused);
    }
  }

  /** Returns 0: no bucket is in this process. */
  @Override
  public long size() {
    return 0;
  }

  /** Stops the store's own threads, if it has any, but not the backend. Idempotent. */
  @Override
  public void close() {
    closed = true;
    end.run();
  }
}
