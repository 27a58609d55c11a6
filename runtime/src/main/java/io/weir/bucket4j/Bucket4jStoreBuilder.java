package io.weir.bucket4j;

import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.github.bucket4j.distributed.AsyncBucketProxyAdapter;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.weir.internal.threads.DaemonThreads;
import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Collects the parts of a {@link Bucket4jStore}.
 *
 * <p>Confine to one thread.
 *
 * @param <K> what the backend's keys are
 */
public final class Bucket4jStoreBuilder<K> {
  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final int THREADS = 8;
  private static final int MAX_QUEUED = 1_024;
  private static final int IDLE_SECONDS = 30;

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
   * Sets the secret that keeps whoever reads the backend from finding out whom it counts; the same
   * on all nodes. Without one a constant takes its place, and a warning says so.
   *
   * @param text any text, best a long random one
   * @return this
   */
  public Bucket4jStoreBuilder<K> secret(String text) {
    this.secret = text;
    return this;
  }

  /**
   * Sets what the names of all buckets begin with, so that two applications on one backend never
   * meet; {@code weir} unless set.
   *
   * @param text {@code [A-Za-z0-9._-]{1,64}}
   * @return this
   * @throws IllegalArgumentException if it is anything else
   */
  public Bucket4jStoreBuilder<K> prefix(String text) {
    if (!PREFIX.matcher(text).matches()) {
      throw new IllegalArgumentException("prefix must match " + PREFIX + ", not '" + text + "'");
    }
    this.prefix = text;
    return this;
  }

  /**
   * Sets what waits for the backend. Unless set, a backend that is asynchronous is asked without
   * any thread, and for others the store has up to eight daemons of its own.
   *
   * @param threads an executor, which the store doesn't close; if it refuses a task, that request
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
    ThreadPoolExecutor own = threadPool();
    return new Bucket4jStore(named, this::blocking, this::remove, own, own::shutdown);
  }

  /**
   * Starts the threads that wait for a blocking backend. Their queue is bounded: if the backend
   * hangs, further claims fail at once.
   */
  private static ThreadPoolExecutor threadPool() {
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAX_QUEUED),
            work -> DaemonThreads.named("weir-bucket4j-" + number.incrementAndGet()).newThread(work));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private AsyncBucketProxy asynchronous(String name, BucketConfig terms) {
    return manager
        .asAsync()
        .builder()
        .build(key.apply(name), () -> CompletableFuture.completedFuture(terms.configuration()));
  }

  private CompletableFuture<?> removeAsynchronously(String name) {
    return manager.asAsync().removeProxy(key.apply(name));
  }

  private CompletableFuture<?> remove(String name) {
    manager.removeProxy(key.apply(name));
    return CompletableFuture.completedFuture(name);
  }

  private AsyncBucketProxy blocking(String name, BucketConfig terms) {
    return AsyncBucketProxyAdapter.fromSync(
        manager.builder().build(key.apply(name), terms::configuration));
  }
}
