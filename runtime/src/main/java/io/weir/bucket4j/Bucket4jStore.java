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
 * A store of TOKEN_BUCKET policies in any backend that Bucket4j has a {@link ProxyManager} for:
 * Hazelcast, Ignite, Infinispan, JCache, PostgreSQL, MySQL, Oracle, MongoDB and more.
 *
 * <pre>{@code
 * ProxyManager<String> buckets = Bucket4jHazelcast.entryProcessorBasedBuilder(map).build();
 * Weir weir = Weir.builder().store(Bucket4jStore.of(buckets, name -> name)).build();
 * }</pre>
 *
 * <p>It is asked for each request, one command as a rule: nodes lease nothing, so a decision takes
 * as long as the backend does, {@code overshoot} has no effect, and a limit is only as fast as its
 * bucket's row or entry. {@code com.bucket4j:bucket4j_jdk17-core} must be on the class path.
 *
 * <p><b>What holds.</b> Each claim runs atomically in its backend, so the nodes together admit at
 * most burst + ⌊limit × time ÷ window⌋ permits in any time, give or take one for the remainders
 * that Bucket4j drops or keeps when a bucket is full or hasn't been touched for long. A debt puts
 * the bucket below zero. What is given back is credited as far as it hasn't been refilled
 * meanwhile, to the nearest whole permit, and never above the burst. {@code retry} is never early
 * where the backend has one clock; where each node goes by its own (the backends by SQL do, unless
 * told otherwise), clocks that differ shift it by the difference. Times are in milliseconds.
 *
 * <p><b>What doesn't.</b> Where the limit in force changes (settings, tiers, ELASTIC), a bucket
 * keeps the tokens it has, cut at the new burst: it refuses more than other stores then, and never
 * admits more than by the largest limit in force. A give-back by a stamp that nobody was given may
 * be credited. A limit of more than one permit a nanosecond is none that Bucket4j knows; such a
 * claim fails. There is no circuit breaker: while the backend hangs, each request waits up to the
 * store time-out, and what the policy says for that case follows.
 *
 * <p>The names of buckets are short, safe and tell nobody's identity: a prefix, the policy and an
 * HMAC. They expire only if the proxy manager is told so: give it an {@code
 * ExpirationAfterWriteStrategy}.
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
   * A store with nothing set but the backend.
   *
   * @param manager Bucket4j's view of the backend, which the caller closes if need be
   * @param key makes the backend's key of a name of up to 160 letters, digits and {@code ._:-}
   * @param <K> what the backend's keys are
   * @return a store for {@code Weir.builder().store(…)}
   */
  public static <K> Bucket4jStore of(ProxyManager<K> manager, Function<String, K> key) {
    return builder(manager, key).build();
  }

  /**
   * A store whose secret, prefix or threads are to be set.
   *
   * @param manager Bucket4j's view of the backend, which the caller closes if need be
   * @param key makes the backend's key of a name of up to 160 letters, digits and {@code ._:-}
   * @param <K> what the backend's keys are
   * @return a builder
   */
  public static <K> Bucket4jStoreBuilder<K> builder(
      ProxyManager<K> manager, Function<String, K> key) {
    return new Bucket4jStoreBuilder<>(manager, key);
  }

  /**
   * What Bucket4j can count by.
   *
   * @return TOKEN_BUCKET alone
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
    Map<BucketId, CompletableFuture<Grant>> last = new HashMap<>();
    for (Claim claim : claims) {
      CompletableFuture<Grant> before = last.get(claim.bucket());
      CompletableFuture<Grant> own =
          before == null
              ? exchange(claim)
              : before.handle((grant, failure) -> claim).thenCompose(this::exchange);
      last.put(claim.bucket(), own);
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
      BucketConfig terms = BucketConfig.of(claim);
      return CompletableFuture.completedFuture(claim)
          .thenComposeAsync(any -> exchange(claim, terms), executor);
    } catch (RuntimeException refused) {
      return CompletableFuture.failedFuture(refused);
    }
  }

  private CompletableFuture<Grant> exchange(Claim claim, BucketConfig terms) {
    AsyncBucketProxy bucket = buckets.apply(names.apply(claim.bucket()), terms);
    return new BucketCall(bucket.asVerbose(), claim, terms).run();
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

  /** None in this process. */
  @Override
  public long size() {
    return 0;
  }

  /** Ends the store's own threads, if it has some. What backs it goes on. Idempotent. */
  @Override
  public void close() {
    closed = true;
    end.run();
  }
}
