package io.weir.internal.cassandra;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import com.datastax.oss.driver.api.core.ssl.ProgrammaticSslEngineFactory;
import com.datastax.oss.driver.internal.core.connection.ConstantReconnectionPolicy;
import com.datastax.oss.driver.internal.core.specex.ConstantSpeculativeExecutionPolicy;
import io.weir.Ticker;
import io.weir.internal.store.MisconfiguredStoreException;
import io.weir.internal.store.StoreFailureLog;
import io.weir.internal.store.StoreUnavailableException;
import io.weir.internal.threads.DaemonThreadFactory;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Connects to Cassandra and prepares the table: checks the data centre, makes the table if it is
 * missing, and prepares the statements.
 *
 * <p>Cassandra needn't be up at first. Asking for the table starts an attempt to connect, on a
 * thread of its own, at most twice a second. Once connected, the driver reconnects by itself.
 *
 * <p>Safe for concurrent use.
 */
final class CassandraConnection implements AutoCloseable {
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long SILENCE = TimeUnit.SECONDS.toNanos(5);
  private static final long HEARD = 0;
  private static final Duration RECONNECT = Duration.ofMillis(500);
  private static final Duration HEARTBEAT = Duration.ofSeconds(1);
  private static final int EXECUTIONS = 3;
  private static final int SPECULATIVE_PART = 3;

  private final CassandraAddress address;
  private final CassandraSettings settings;
  private final StoreClock clock;
  private final Ticker ticker;
  private final StoreFailureLog log;
  private final Listener listener;
  private final ScheduledThreadPoolExecutor thread;
  private final AtomicReference<@Nullable CompletableFuture<BucketTable>> attempt =
      new AtomicReference<>();
  private volatile @Nullable CqlSession session;
  private volatile @Nullable BucketTable table;
  private volatile String why = "this node is still connecting to it";
  private volatile long notBefore;
  private final AtomicLong silentSince = new AtomicLong(HEARD);
  private boolean isSchemaNew; // used by the connecting thread alone
  private volatile boolean closed;

  /** Checks a new connection before it is used, in a thread that may wait. */
  interface Listener {
    /** Checks the replication of the keyspace; throws if it doesn't fit the settings. */
    void connected(CqlSession session, Map<String, String> replication);

    /** Returns the level of transactions; within one data centre by default. */
    default ConsistencyLevel serial() {
      return ConsistencyLevel.LOCAL_SERIAL;
    }
  }

  CassandraConnection(
      CassandraAddress address,
      CassandraSettings settings,
      StoreClock clock,
      Ticker ticker,
      StoreFailureLog log,
      Listener listener) {
    this.address = address;
    this.settings = settings;
    this.clock = clock;
    this.ticker = ticker;
    this.log = log;
    this.listener = listener;
    this.notBefore = ticker.nanoTime();
    this.thread =
        DaemonThreadFactory.scheduler(DaemonThreadFactory.ofApplication("weir-cassandra"), 1);
    // Work that waits at the close still runs, and fails: otherwise its claims would never
    // complete.
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(true);
  }

  /** Returns the table; starts an attempt to connect if there is no connection. */
  BucketTable table() {
    BucketTable known = table;
    if (known != null) {
      return known;
    }
    if (ticker.nanoTime() - notBefore >= 0) {
      var unused = connect();
    }
    throw new StoreUnavailableException(why);
  }

  /**
   * Finds the table, and makes none; waits for no connection: without one, starts an attempt as
   * {@link #table} does.
   *
   * @return empty if there is no table; completed exceptionally if Cassandra can't be asked yet
   */
  CompletionStage<Optional<BucketTable>> find() {
    boolean isConnected = table != null || session != null;
    boolean isDue = isConnected || ticker.nanoTime() - notBefore >= 0;
    if (!isDue) {
      return CompletableFuture.failedStage(new StoreUnavailableException(why));
    }
    CompletionStage<Optional<BucketTable>> found =
        connect(false)
            .handle(
                (it, failure) -> {
                  if (failure == null || failure instanceof NoTableException) {
                    return Optional.ofNullable(it);
                  }
                  throw new StoreUnavailableException(String.valueOf(failure.getMessage()));
                });
    return isConnected ? found : CompletableFuture.failedStage(new StoreUnavailableException(why));
  }

  /** Connects, unless it is connected; an attempt under way is shared. */
  CompletionStage<BucketTable> connect() {
    return connect(true);
  }

  private CompletionStage<BucketTable> connect(boolean mayMakeTable) {
    BucketTable known = table;
    if (known != null) {
      return CompletableFuture.completedFuture(known);
    }
    CompletableFuture<BucketTable> begun = new CompletableFuture<>();
    CompletableFuture<BucketTable> running = attempt.compareAndExchange(null, begun);
    if (running != null) {
      return running;
    }
    try {
      thread.execute(() -> tryOnce(begun, mayMakeTable));
    } catch (RuntimeException ended) {
      attempt.set(null);
      begun.completeExceptionally(new StoreUnavailableException("it is closed"));
    }
    return begun;
  }

  /** Looks for the table again, and makes it again if that is allowed. */
  void tableIsMissing(BucketTable missed) {
    if (table == missed) {
      table = null;
      why = "its table is missing";
    }
  }

  /** Runs something later, on the thread of this connection. */
  void later(long nanos, Runnable task) {
    var unused = thread.schedule(task, nanos, TimeUnit.NANOSECONDS);
  }

  private void tryOnce(CompletableFuture<BucketTable> begun, boolean mayMakeTable) {
    try {
      BucketTable made = open(mayMakeTable);
      table = made;
      attempt.set(null);
      log.mended();
      begun.complete(made);
    } catch (RuntimeException | Error failure) {
      why = String.valueOf(failure.getMessage());
      notBefore = ticker.nanoTime() + PAUSE;
      attempt.set(null);
      advice(failure, log);
      begun.completeExceptionally(
          failure instanceof NoTableException ? failure : new StoreUnavailableException(why));
    }
  }

  private BucketTable open(boolean mayMakeTable) {
    CqlSession opened = session;
    if (opened == null) {
      opened = builder().build();
      session = opened;
      if (closed) {
        opened.close();
        throw new StoreUnavailableException("it is closed");
      }
    }
    checkDataCentre(opened);
    CassandraSchema schema = new CassandraSchema(opened, address, settings);
    boolean isMissing = schema.isMissing();
    isSchemaNew |= isMissing;
    if (isMissing && !mayMakeTable) {
      throw new NoTableException();
    }
    schema.prepare();
    if (isSchemaNew) {
      schema.requireAgreement();
      isSchemaNew = false;
    }
    long sentAt = clock.nanos();
    var row = opened.execute("SELECT now() FROM system.local").one();
    UUID time = row == null ? null : row.getUuid(0);
    if (time != null) {
      long unused = clock.hear(time, sentAt);
    }
    listener.connected(opened, schema.replication().orElseGet(Map::of));
    return new BucketTable(
        opened, settings.table(address), settings.levels(), listener.serial(), clock);
  }

  /**
   * Reacts to a request without an answer. If no node has been connected for some seconds, it opens
   * another session from the addresses in {@code weir.store}: Cassandra may have come back at
   * addresses that the driver doesn't know. The first session keeps trying meanwhile, and stays if
   * it is faster.
   */
  void unanswered() {
    CqlSession silent = session;
    if (silent == null || table == null || isConnected(silent)) {
      silentSince.set(HEARD);
      return;
    }
    long now = ticker.nanoTime() | 1; // never HEARD
    long since = silentSince.get();
    if (since == HEARD) {
      silentSince.compareAndSet(HEARD, now);
    } else if (now - since >= SILENCE && silentSince.compareAndSet(since, now)) {
      begin(silent);
    }
  }

  private static boolean isConnected(CqlSession session) {
    return session.getMetadata().getNodes().values().stream()
        .anyMatch(each -> each.getOpenConnections() > 0);
  }

  private void begin(CqlSession silent) {
    try {
      builder()
          .buildAsync()
          .whenComplete(
              (made, failure) -> {
                if (failure == null) {
                  replace(silent, made);
                }
              });
    } catch (RuntimeException misconfigured) {
      // The first session had the same settings, so only the trust store can have changed.
      why = String.valueOf(misconfigured.getMessage());
    }
  }

  /** Never waits, so a thread of the driver may run it. */
  private synchronized void replace(CqlSession silent, CqlSession made) {
    if (closed || session != silent || isConnected(silent)) {
      made.closeAsync();
      return;
    }
    session = made;
    table = null;
    why = "its addresses have changed";
    silent.closeAsync();
    var unused = connect();
  }

  private void checkDataCentre(CqlSession opened) {
    Set<String> known = new TreeSet<>();
    for (Node node : opened.getMetadata().getNodes().values()) {
      known.add(String.valueOf(node.getDatacenter()));
    }
    if (!known.contains(address.dataCentre())) {
      session = null;
      opened.close();
      throw new MisconfiguredStoreException(
          "weir.store names the data centre "
              + address.dataCentre()
              + ", and Cassandra has "
              + known
              + ". Set ?dc= to the one of this application.");
    }
  }

  /** Logs once what an operator has to fix; the runtime logs what passes by itself. */
  private static void advice(Throwable failure, StoreFailureLog log) {
    Throwable cause = root(failure);
    if (cause instanceof AuthenticationException) {
      log.failed(
          "it refuses the login: correct weir.store.cassandra.user and .password, or those in"
              + " weir.store.");
    } else if (cause instanceof UnauthorizedException) {
      log.failed("the user needs SELECT and MODIFY on the table: " + cause.getMessage());
    } else if (cause instanceof MisconfiguredStoreException
        || cause instanceof InvalidQueryException) {
      log.failed(String.valueOf(cause.getMessage()));
    }
  }

  private static Throwable root(Throwable failure) {
    if (failure instanceof AllNodesFailedException all) {
      for (List<Throwable> each : all.getAllErrors().values()) {
        for (Throwable one : each) {
          if (one instanceof AuthenticationException) {
            return one;
          }
        }
      }
    }
    return failure;
  }

  private CqlSessionBuilder builder() {
    ClassLoader loader = CassandraConnection.class.getClassLoader();
    Duration command = settings.commandTimeout();
    Duration connect = settings.get(CassandraSettings.CONNECT_TIMEOUT);
    DriverConfigLoader config =
        DriverConfigLoader.programmaticBuilder(loader)
            .withString(DefaultDriverOption.SESSION_NAME, "weir")
            .withStringList(DefaultDriverOption.CONTACT_POINTS, List.of())
            .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false)
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, command)
            .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, connect)
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, connect)
            .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, connect)
            .withDuration(DefaultDriverOption.HEARTBEAT_INTERVAL, HEARTBEAT)
            .withDuration(
                DefaultDriverOption.HEARTBEAT_TIMEOUT,
                command.compareTo(HEARTBEAT) > 0 ? command : HEARTBEAT)
            .withClass(
                DefaultDriverOption.RECONNECTION_POLICY_CLASS, ConstantReconnectionPolicy.class)
            .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, RECONNECT)
            // If a coordinator hangs, another one is asked before the time-out. That is safe, as
            // all statements but transactions may be executed twice.
            .withClass(
                DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS,
                ConstantSpeculativeExecutionPolicy.class)
            .withInt(DefaultDriverOption.SPECULATIVE_EXECUTION_MAX, EXECUTIONS)
            .withDuration(
                DefaultDriverOption.SPECULATIVE_EXECUTION_DELAY,
                settings.storeTimeout().dividedBy(SPECULATIVE_PART))
            .build();
    CqlSessionBuilder builder =
        CqlSession.builder()
            .withConfigLoader(config)
            .withClassLoader(loader)
            .withLocalDatacenter(address.dataCentre());
    address
        .hosts()
        .forEach(
            each ->
                builder.addContactPoint(
                    new java.net.InetSocketAddress(each.getHostString(), each.getPort())));
    if (!settings.user(address).isEmpty()) {
      builder.withAuthCredentials(settings.user(address), settings.password(address));
    }
    if (address.tls()) {
      builder.withSslEngineFactory(
          new ProgrammaticSslEngineFactory(
              trust(), null, settings.get(CassandraSettings.VERIFY_HOST), false));
    }
    return builder;
  }

  private SSLContext trust() {
    try {
      if (settings.get(CassandraSettings.TRUST_STORE).isEmpty()) {
        return SSLContext.getDefault();
      }
      KeyStore store =
          KeyStore.getInstance(KeyStore.getDefaultType()); // the default type reads JKS too
      String password = settings.get(CassandraSettings.TRUST_STORE_PASSWORD);
      try (InputStream file =
          Files.newInputStream(Path.of(settings.get(CassandraSettings.TRUST_STORE)))) {
        store.load(file, password.isEmpty() ? null : password.toCharArray());
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | java.io.IOException | RuntimeException broken) {
      throw new MisconfiguredStoreException(
          "weir.store.cassandra.trust-store can't be read: " + broken.getMessage());
    }
  }

  /** There is no table, and none was to be made. */
  private static final class NoTableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoTableException() {
      super("its table is missing", null, false, false);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    table = null;
    why = "it is closed";
    CqlSession opened = session;
    if (opened != null) {
      opened.closeAsync();
    }
    thread.shutdown();
  }
}
