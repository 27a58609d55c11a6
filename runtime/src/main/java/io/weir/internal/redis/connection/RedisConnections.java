package io.weir.internal.redis.connection;

import io.weir.Ticker;
import io.weir.internal.redis.address.HostAndPort;
import io.weir.internal.redis.address.Login;
import io.weir.internal.redis.address.RedisAddress;
import io.weir.internal.redis.address.RedisAddress.Kind;
import io.weir.internal.redis.address.RedisSettings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.net.ssl.SSLSocketFactory;
import redis.clients.jedis.Protocol.Command;

/**
 * Connects to a Redis: a {@link ConnectionPool} for each master, which is a partition.
 *
 * <p>Nothing is connected before {@link #connect} or the first call, and failed connections are
 * tried again with the next call. Threads are daemons; they start when there is work and end after
 * being idle for a while.
 *
 * <p>Safe for concurrent use.
 */
public final class RedisConnections implements AutoCloseable {
  private static final Logger LOG = System.getLogger("io.weir");

  private final RedisAddress address;
  private final RedisSettings settings;
  private final Ticker ticker;
  private final RedisThreadPools threads = new RedisThreadPools();
  private final ScheduledThreadPoolExecutor watch = threads.watch();
  private final ThreadPoolExecutor background = threads.pool(1);
  private final AtomicBoolean mistaken = new AtomicBoolean();
  private final ConnectionFactory factory;
  private final Topology topology;
  private final Map<Integer, ConnectionPool> partitions = new ConcurrentHashMap<>();

  /**
   * Prepares connections without opening any.
   *
   * @throws IllegalArgumentException if there is no such trust store
   */
  public RedisConnections(RedisAddress address, RedisSettings settings, Ticker ticker) {
    this(address, settings, Optional.empty(), ticker);
  }

  /**
   * Prepares connections without opening any.
   *
   * @param encrypted returns the factory of encrypted sockets for each connection; if empty, the
   *     address determines whether they are encrypted, and the settings which certificates are
   *     trusted
   * @throws IllegalArgumentException if there is no such trust store
   */
  public RedisConnections(
      RedisAddress address,
      RedisSettings settings,
      Optional<Supplier<SSLSocketFactory>> encrypted,
      Ticker ticker) {
    this.address = address;
    this.settings = settings;
    this.ticker = ticker;
    ConnectDeadlines deadlines = new ConnectDeadlines(watch, ticker);
    Optional<Supplier<SSLSocketFactory>> tls =
        encrypted.or(() -> address.tls() ? Optional.of(trusting(settings)) : Optional.empty());
    SocketOpener sockets =
        new SocketOpener(
            tls,
            settings.get(RedisSettings.VERIFY_HOST),
            settings.connectMillis(),
            settings.commandMillis(),
            deadlines);
    this.factory =
        new ConnectionFactory(sockets, deadlines, watch, ticker, settings.commandMillis());
    this.topology = topology();
  }

  private static Supplier<SSLSocketFactory> trusting(RedisSettings settings) {
    SSLSocketFactory factory = TrustStore.of(settings);
    return () -> factory;
  }

  private Topology topology() {
    List<HostAndPort> endpoints = address.endpoints();
    Login sentinel = settings.sentinelLogin();
    return switch (address.kind()) {
      case ALONE -> Topology.of(endpoints.get(0));
      case SENTINEL ->
          new SentinelTopology(
              endpoints,
              address.master(),
              (at, words) -> factory.ask(at, sentinel, Command.SENTINEL, words),
              this::inBackground);
      case CLUSTER ->
          new ClusterTopology(
              endpoints,
              at -> factory.ask(at, settings.login(address), Command.CLUSTER, "SLOTS"),
              this::inBackground,
              ticker);
    };
  }

  /** Rejects work once this is closed, and while no thread can be started. */
  private void inBackground(Runnable work) {
    background.execute(() -> runSafely(work));
  }

  /**
   * Runs background work and logs what it throws: an exception would only end a thread, and again
   * with each try.
   */
  private void runSafely(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error mistake) {
      Level level = mistaken.compareAndSet(false, true) ? Level.WARNING : Level.DEBUG;
      LOG.log(level, "Asking " + describe() + " in the background failed", mistake);
    }
  }

  /** Describes the servers for log messages: hosts and ports, nothing secret. */
  public String describe() {
    String where =
        address.endpoints().stream().map(HostAndPort::toString).collect(Collectors.joining(", "));
    return switch (address.kind()) {
      case ALONE -> "Redis at " + where;
      case SENTINEL -> "Redis " + address.master() + " of the sentinels at " + where;
      case CLUSTER -> "Redis Cluster at " + where;
    };
  }

  /**
   * Returns whether keys are spread over several masters: in a cluster, where a call can only have
   * keys of one slot.
   */
  public boolean spread() {
    return address.kind() == Kind.CLUSTER;
  }

  /** Returns 0 and more, as far as is known. */
  public int partition(byte[] key) {
    return topology.partition(key);
  }

  /**
   * Returns the first slot of a cluster that a partition has, as far as is known: 0 to 16,383; 0
   * where there are no slots.
   */
  public int slot(int partition) {
    return topology.slot(partition);
  }

  /**
   * Returns whether a partition has any keys, as far as is known; a master that was removed has
   * none, the only one always does.
   */
  public boolean has(int partition) {
    return topology.has(partition);
  }

  /** Makes a hash tag that leads to a slot, 0 to 16,383. */
  public String tag(int slot) {
    return SlotMap.tag(slot);
  }

  /**
   * Opens the connections to all masters, without waiting.
   *
   * @param failures receives each master that can't be reached
   * @return completed, never exceptionally, when that is done: with a failure if none of them could
   *     be reached
   */
  public CompletionStage<Optional<Failure>> connect(BiConsumer<Integer, Failure> failures) {
    try {
      return CompletableFuture.supplyAsync(() -> connectAll(failures), background)
          .thenCompose(all -> all);
    } catch (RejectedExecutionException full) {
      return CompletableFuture.completedStage(Optional.of(RedisThreadPools.failure(full)));
    }
  }

  private CompletionStage<Optional<Failure>> connectAll(BiConsumer<Integer, Failure> failures) {
    try {
      topology.learn();
    } catch (ConnectionException unreachable) {
      return CompletableFuture.completedStage(Optional.of(unreachable.failure()));
    }
    List<CompletableFuture<Optional<Failure>>> all = new ArrayList<>();
    for (int number = 0; number < topology.partitions(); number++) {
      all.add(connect(number, failures).toCompletableFuture());
    }
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .thenApply(any -> firstIfAllFailed(all));
  }

  private CompletionStage<Optional<Failure>> connect(
      int number, BiConsumer<Integer, Failure> failures) {
    return partition(number)
        .connect()
        .thenApply(
            failure -> {
              failure.ifPresent(why -> failures.accept(number, why));
              return failure;
            });
  }

  private static Optional<Failure> firstIfAllFailed(
      List<CompletableFuture<Optional<Failure>>> all) {
    boolean one = all.stream().anyMatch(each -> each.join().isEmpty());
    return one ? Optional.empty() : all.get(0).join();
  }

  /**
   * Sends calls without waiting; they are executed in order.
   *
   * @return completed, never exceptionally, when each call has its reply or its failure
   */
  public CompletionStage<?> send(int partition, List<EvalCall> calls) {
    return partition(partition).send(calls);
  }

  /**
   * Sends calls in the calling thread, if a connection is free, and waits for the answers;
   * otherwise like {@link #send}.
   *
   * @param mostMicros the longest time in microseconds that this thread may wait; another one waits
   *     for the rest
   * @param meanwhile runs once they are sent; not if this thread doesn't send them
   */
  public CompletionStage<?> sendBlocking(
      int partition, List<EvalCall> calls, long mostMicros, Runnable meanwhile) {
    return partition(partition).sendBlocking(calls, mostMicros, meanwhile);
  }

  /** Returns nanoseconds: see {@link io.weir.store.LeasingStore#silentMicros}. */
  public long silent(int partition) {
    return partition(partition).silent();
  }

  /** Reacts to a failure: leaves a server that is no longer a master, and locates the new one. */
  public void react(int partition, FailureKind trouble) {
    // A rejected connection stays rejected, for example after a change of password.
    boolean stale = trouble == FailureKind.NOAUTH || trouble == FailureKind.NOPERM;
    if (stale || trouble == FailureKind.READONLY || trouble == FailureKind.MASTERDOWN) {
      partition(partition).drop();
    } else if (trouble.passes()) {
      topology.doubt();
    }
  }

  /**
   * Asks the masters used so far about their memory, without waiting.
   *
   * @param answer receives a partition and its INFO; not called if a master is down or the user may
   *     not ask
   */
  public void askForMemory(BiConsumer<Integer, String> answer) {
    partitions.forEach(
        (partition, pool) -> {
          if (topology.has(partition)) {
            askForMemoryInBackground(partition, answer);
          }
        });
  }

  private void askForMemoryInBackground(int partition, BiConsumer<Integer, String> answer) {
    try {
      inBackground(() -> askForMemory(partition, answer));
    } catch (RejectedExecutionException notNow) {
      // It is asked again some minutes later.
    }
  }

  private void askForMemory(int partition, BiConsumer<Integer, String> answer) {
    try {
      Object reply =
          factory.ask(topology.find(partition), settings.login(address), Command.INFO, "memory");
      if (reply instanceof byte[] text) {
        answer.accept(partition, new String(text, StandardCharsets.UTF_8));
      }
    } catch (ConnectionException refused) {
      // Then there is no warning; calls that need Redis log their failures.
    }
  }

  /** Locates the masters again if that is due; to be called about once a second. */
  public void poll() {
    topology.poll();
    partitions.forEach(
        (partition, pool) -> {
          if (!topology.has(partition)) {
            pool.endIdle();
          }
        });
  }

  private ConnectionPool partition(int number) {
    return partitions.computeIfAbsent(
        number,
        any ->
            new ConnectionPool(
                number,
                topology,
                (at, opening) ->
                    factory.open(at, settings.login(address), address.database(), opening),
                factory,
                threads.pool(settings.get(RedisSettings.CONNECTIONS)),
                settings.get(RedisSettings.CONNECTIONS),
                ticker,
                settings.storeTimeout()));
  }

  /** Ends all connections and threads; calls without an answer fail. */
  @Override
  public void close() {
    threads.stop();
    threads.await(settings.commandMillis());
    factory.close();
    threads.await(settings.connectMillis());
    watch.shutdownNow(); // last, since it ends what the others wait for
  }
}
