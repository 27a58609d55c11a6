package io.weir.bucket4j;

import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.github.bucket4j.distributed.AsyncBucketProxyAdapter;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.internal.threads.RejectingPool;
import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Builds a {@link Bucket4jStore}.
 *
 * <p>Confine to one thread.
 *
 * @param <K> the type of the backend's keys
 */
public final class Bucket4jStoreBuilder<K> {
  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final int THREADS = 8;
  private static final int MAX_QUEUED = 1_024;
  private static final Duration IDLE = Duration.ofSeconds(30);

  private final ProxyManager<K> manager;
  private final Function<String, K> key;
  private Optional<Executor> executor = Optional.empty();
  private String prefix = "weir";
  private String secret = "";

  Bucket4jStoreBuilder(ProxyManager<K> manager, Function<String, K> key) {
    this.manager = manager;
    this.key = key;
  }

  /**
   * Sets the secret without which readers of the backend could guess the callers that it counts. It
   * must be the same on all nodes. If unset, a constant is used and a warning is logged.
   *
   * @param text any text, preferably long and random
   * @return this
   */
  public Bucket4jStoreBuilder<K> secret(String text) {
    this.secret = text;
    return this;
  }

  /**
   * Sets the prefix of all bucket names, so that applications on one backend don't share buckets;
   * {@code weir} unless set.
   *
   * @param text {@code [A-Za-z0-9._-]{1,64}}
   * @return this
   * @throws IllegalArgumentException if it doesn't match
   */
  public Bucket4jStoreBuilder<K> prefix(String text) {
    if (!PREFIX.matcher(text).matches()) {
      throw new IllegalArgumentException("prefix must match " + PREFIX + ", not '" + text + "'");
    }
    this.prefix = text;
    return this;
  }

  /**
   * Sets the threads that call the backend and wait for it. Unless set, asynchronous backends are
   * called without a thread, and the store has up to eight daemon threads for others.
   *
   * @param threads an executor, which the store doesn't close; if it rejects a task, that request
   *     is decided without the store
   * @return this
   */
  public Bucket4jStoreBuilder<K> executor(Executor threads) {
    this.executor = Optional.of(threads);
    return this;
  }

  /**
   * Makes the store.
   *
   * @return a store for {@code Weir.builder().store(…)}
   */
  public Bucket4jStore build() {
    BucketHasher names = BucketHasher.of(secret);
    Function<BucketId, String> named =
        bucket -> prefix + ':' + bucket.spec().name() + ':' + names.of(bucket);
    if (executor.isPresent()) {
      return new Bucket4jStore(named, this::blocking, this::remove, executor.get(), () -> {});
    }
    if (manager.isAsyncModeSupported()) {
      return new Bucket4jStore(
          named, this::asynchronous, this::removeAsynchronously, Runnable::run, () -> {});
    }
    ExecutorService own = threadPool();
    return new Bucket4jStore(named, this::blocking, this::remove, own, own::shutdown);
  }

  /**
   * Starts the threads that wait for a blocking backend. Their queue is bounded: if the backend
   * hangs, further claims fail at once.
   */
  private static ExecutorService threadPool() {
    AtomicInteger number = new AtomicInteger();
    return new RejectingPool(
        work ->
            DaemonThreadFactory.named("weir-bucket4j-" + number.incrementAndGet()).newThread(work),
        THREADS,
        MAX_QUEUED,
        IDLE);
  }

  private AsyncBucketProxy asynchronous(String name, BucketConfig config) {
    return manager
        .asAsync()
        .builder()
        .build(key.apply(name), () -> CompletableFuture.completedFuture(config.configuration()));
  }

  private CompletableFuture<?> removeAsynchronously(String name) {
    return manager.asAsync().removeProxy(key.apply(name));
  }

  private CompletableFuture<?> remove(String name) {
    manager.removeProxy(key.apply(name));
    return CompletableFuture.completedFuture(name);
  }

  private AsyncBucketProxy blocking(String name, BucketConfig config) {
    return AsyncBucketProxyAdapter.fromSync(
        manager.builder().build(key.apply(name), config::configuration));
  }
}
