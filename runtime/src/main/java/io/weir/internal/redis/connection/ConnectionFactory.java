package io.weir.internal.redis.connection;

import io.weir.Ticker;
import io.weir.internal.redis.address.HostAndPort;
import io.weir.internal.redis.address.Login;
import io.weir.internal.redis.connection.ConnectDeadlines.Deadline;
import io.weir.internal.redis.connection.SocketOpener.Connected;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Opens links and bounds what they do.
 *
 * <p>A time-out of a socket bounds one read, not the many of a settle, and no write at all; so
 * every exchange has an end at which its socket is closed from outside.
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

  /** A new link, logged in. */
  RedisConnection open(HostAndPort endpoint, Login login, int database) {
    Connected connected = connect(endpoint);
    boolean opened = false;
    Deadline deadline = deadlines.begin(connected.raw(), commandMillis);
    try (deadline) {
      // The socket is there already, so that we can close it.
      Socket checked = new CheckedSocket(connected.stream());
      JedisSocketFactory ours = () -> checked;
      Connection connection = new Connection(ours, config(login, database));
      RedisConnection link =
          new RedisConnection(endpoint, connection, connected.raw(), sockets.hint());
      link.used(ticker.nanoTime());
      open.add(link);
      if (closed) {
        drop(link);
      }
      opened = true;
      return link;
    } catch (JedisDataException refused) {
      throw new ConnectionException(Failure.of(String.valueOf(refused.getMessage())));
    } catch (IOException | RuntimeException e) {
      // Not only Jedis's own: a login that is answered by nonsense ends in any of them.
      Throwable cause = e.getCause() == null ? e : e.getCause();
      boolean hungUp = !deadline.missed() && !(cause instanceof SocketTimeoutException);
      throw away(endpoint, cause, hungUp ? sockets.hint() : "");
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

  /** Whether a link that rested still works; a server may have hung up meanwhile. */
  boolean works(RedisConnection link) {
    if (ticker.nanoTime() - link.usedAt() < IDLE) {
      return true;
    }
    try {
      bounded(link, () -> link.ask(Command.PING));
      return true;
    } catch (ConnectionException gone) {
      return false;
    }
  }

  /** Executes calls within the time-out, or throws. */
  void run(RedisConnection link, List<Call> calls, boolean asking) {
    bounded(link, () -> link.run(calls, asking));
  }

  private void bounded(RedisConnection link, Runnable work) {
    long end = ticker.nanoTime() + TimeUnit.MILLISECONDS.toNanos(commandMillis);
    if (link.bound(end)) {
      watch(link, TimeUnit.MILLISECONDS.toNanos(commandMillis));
    }
    try {
      work.run();
      link.used(ticker.nanoTime());
    } finally {
      link.unbound();
    }
  }

  // Looks when the exchange should be over that was under way when it was set, and then at the one
  // that is under way by then: a timer for each exchange would wake a thread for each.
  private void watch(RedisConnection link, long nanos) {
    try {
      Future<?> unused = watch.schedule(() -> look(link), nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException ended) {
      link.abort();
    }
  }

  private void look(RedisConnection link) {
    long left = link.left(ticker.nanoTime());
    if (left > 0) {
      watch(link, left);
    }
  }

  /** Asks one question over a link of its own. */
  @Nullable Object ask(HostAndPort endpoint, Login login, Command command, String... words) {
    RedisConnection link = open(endpoint, login, 0);
    try {
      return link.ask(command, words);
    } finally {
      drop(link);
    }
  }

  void drop(RedisConnection link) {
    open.remove(link);
    link.close();
  }

  /** Ends all links, also those that are being opened or wait for an answer, and all later ones. */
  void close() {
    closed = true;
    deadlines.close();
    open.forEach(this::drop);
  }
}
