package io.weir.internal.redis.connection;

import io.weir.Ticker;
import io.weir.internal.redis.address.HostAndPort;
import io.weir.internal.redis.address.Login;
import io.weir.internal.redis.connection.ConnectDeadlines.Deadline;
import io.weir.internal.redis.connection.SocketOpener.Connected;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Opens connections and bounds what they do.
 *
 * <p>A socket's time-out bounds one read, not the many that a batch takes, and no write at all; so
 * every exchange has a deadline at which its socket is closed from outside.
 *
 * <p>Safe for concurrent use.
 */
final class ConnectionFactory {
  private static final long IDLE = TimeUnit.SECONDS.toNanos(3);

  private final SocketOpener sockets;
  private final ConnectDeadlines deadlines;
  private final ScheduledExecutorService watch;
  private final Ticker ticker;
  private final int commandMillis;
  private final Set<RedisConnection> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  ConnectionFactory(
      SocketOpener sockets,
      ConnectDeadlines deadlines,
      ScheduledExecutorService watch,
      Ticker ticker,
      int commandMillis) {
    this.sockets = sockets;
    this.deadlines = deadlines;
    this.watch = watch;
    this.ticker = ticker;
    this.commandMillis = commandMillis;
  }

  /**
   * Opens a connection and logs in.
   *
   * @param opening measures for how long the server keeps it waiting
   */
  RedisConnection open(HostAndPort endpoint, Login login, int database, ConnectLatency opening) {
    Connected connected = connect(endpoint);
    boolean opened = false;
    opening.connected(now -> 0); // the server owes nothing before the login
    Deadline deadline = deadlines.begin(connected.raw(), commandMillis, opening);
    try (deadline) {
      // The socket is there already, so that we can close it.
      BoundedReplySocket checked =
          new BoundedReplySocket(connected.stream(), connected.raw(), ticker);
      opening.connected(checked::silent);
      JedisSocketFactory ours = () -> checked;
      FlushableConnection jedis = new FlushableConnection(ours, config(login, database));
      RedisConnection connection =
          new RedisConnection(endpoint, jedis, connected.raw(), checked, sockets);
      connection.markUsed(ticker.nanoTime());
      if (checked.replies().replies() > 0) { // to the login
        connection.markAnswered();
      }
      open.add(connection);
      if (closed) {
        drop(connection);
      }
      opened = true;
      return connection;
    } catch (JedisDataException refused) {
      sockets.markAnswered(endpoint);
      throw new ConnectionException(Failure.of(String.valueOf(refused.getMessage())));
    } catch (IOException | RuntimeException e) {
      // Not only Jedis's own: a login that is answered by nonsense ends in any of them.
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw away(endpoint, cause, deadline.missed() ? "" : sockets.hint(endpoint, cause));
    } finally {
      if (!opened) { // whatever was thrown, an Error too
        ConnectDeadlines.close(connected.raw());
      }
    }
  }

  private Connected connect(HostAndPort endpoint) {
    if (closed) {
      throw new ConnectionException(Failure.away("Weir is closed"));
    }
    try {
      return sockets.open(endpoint);
    } catch (IOException | RuntimeException e) {
      throw away(endpoint, e, "");
    }
  }

  private static ConnectionException away(HostAndPort endpoint, Throwable cause, String hint) {
    String why = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    String text = "Redis at " + endpoint + " can't be reached: " + why + hint;
    return new ConnectionException(Failure.away(text));
  }

  private DefaultJedisClientConfig config(Login login, int database) {
    // No greetings: they cost round trips and need permissions.
    DefaultJedisClientConfig.Builder config =
        DefaultJedisClientConfig.builder()
            .serverDefaultProtocol()
            .socketTimeoutMillis(commandMillis)
            .database(database)
            .clientSetInfoConfig(ClientSetInfoConfig.DISABLED);
    if (!login.password().isEmpty()) {
      config.user(login.user().isEmpty() ? null : login.user()).password(login.password());
    }
    return config.build();
  }

  /** Returns whether a connection worked a moment ago. */
  boolean isFresh(RedisConnection connection) {
    return ticker.nanoTime() - connection.usedAt() < IDLE;
  }

  /** Returns whether an idle connection still works; the server may have hung up meanwhile. */
  boolean works(RedisConnection connection) {
    if (isFresh(connection)) {
      return true;
    }
    try {
      runBounded(connection, () -> connection.ask(Command.PING));
      return true;
    } catch (ConnectionException gone) {
      return false;
    }
  }

  /** Has a topology check a connection within the time-out, or throws. */
  void check(RedisConnection connection, Topology topology) {
    runBounded(connection, () -> topology.check(connection));
  }

  /** Executes calls within the time-out, or throws. */
  void run(RedisConnection connection, List<EvalCall> calls, boolean asking) {
    runBounded(connection, () -> connection.run(calls, asking, commandMillis));
  }

  /**
   * Begins executing calls, and waits for the answers no longer than the calling thread may; false
   * if that is still to be {@linkplain #finish finished}, within the same time-out.
   */
  boolean begin(
      RedisConnection connection, List<EvalCall> calls, long mostMicros, Runnable meanwhile) {
    beginExchange(connection);
    boolean begun = false;
    try {
      // A socket waits for whole milliseconds.
      int millis = (int) Math.min(commandMillis, mostMicros / 1_000 + 1);
      begun = !connection.begin(calls, millis, meanwhile);
      return !begun;
    } finally {
      if (!begun) {
        connection.markUsed(ticker.nanoTime());
        connection.endExchange();
      }
    }
  }

  /** Finishes an exchange, or throws. */
  void finish(RedisConnection connection, List<EvalCall> calls) {
    try {
      connection.finish(calls, false, commandMillis);
      connection.markUsed(ticker.nanoTime());
    } finally {
      connection.endExchange();
    }
  }

  private void beginExchange(RedisConnection connection) {
    long end = ticker.nanoTime() + TimeUnit.MILLISECONDS.toNanos(commandMillis);
    if (connection.beginExchange(end)) {
      watch(connection, TimeUnit.MILLISECONDS.toNanos(commandMillis));
    }
  }

  private void runBounded(RedisConnection connection, Runnable work) {
    beginExchange(connection);
    try {
      work.run();
      connection.markUsed(ticker.nanoTime());
    } finally {
      connection.endExchange();
    }
  }

  // Checks when the current exchange should have ended, and then again for whichever is in flight
  // by then. A timer for each exchange would wake a thread for each.
  private void watch(RedisConnection connection, long nanos) {
    try {
      Future<?> unused = watch.schedule(() -> check(connection), nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException ended) {
      connection.abort();
    }
  }

  private void check(RedisConnection connection) {
    long allowed = TimeUnit.MILLISECONDS.toNanos(commandMillis);
    long left = connection.left(ticker.nanoTime(), allowed);
    if (left > 0) {
      watch(connection, left);
    }
  }

  /** Sends one command over a connection of its own. */
  @Nullable Object ask(HostAndPort endpoint, Login login, Command command, String... words) {
    RedisConnection connection = open(endpoint, login, 0, new ConnectLatency(ticker.nanoTime()));
    beginExchange(connection);
    try {
      return connection.ask(command, words);
    } finally {
      connection.endExchange();
      drop(connection);
    }
  }

  void drop(RedisConnection connection) {
    open.remove(connection);
    connection.close();
  }

  /**
   * Ends all connections, including those being opened or waiting for an answer, and all later
   * ones.
   */
  void close() {
    closed = true;
    deadlines.close();
    open.forEach(this::drop);
  }
}
