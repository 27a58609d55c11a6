package io.weir.internal.redis.connection;

import io.weir.Ticker;
import io.weir.internal.redis.address.HostAndPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends calls to one master over a fixed number of connections, with a thread for each.
 *
 * <p>Safe for concurrent use.
 */
final class ConnectionPool {
  /** Calls that have waited this many times the patience are too old to be sent. */
  private static final int MAX_LATE = 10;

  private final int number;
  private final Topology topology;
  private final BiFunction<HostAndPort, ConnectLatency, RedisConnection> opener;
  private final ConnectionFactory factory;
  private final Executor threads;
  private final int most;
  private final Ticker ticker;
  private final long patience;
  private final Semaphore free;
  private volatile Optional<Failure> broken = Optional.empty();
  private final ConcurrentLinkedDeque<RedisConnection> idle = new ConcurrentLinkedDeque<>();
  private final SilenceMeter silence = new SilenceMeter();
  private final RedirectionHandler redirections;

  ConnectionPool(
      int number,
      Topology topology,
      BiFunction<HostAndPort, ConnectLatency, RedisConnection> opener,
      ConnectionFactory factory,
      Executor threads,
      int most,
      Ticker ticker,
      Duration patience) {
    this.number = number;
    this.topology = topology;
    this.opener = opener;
    this.factory = factory;
    this.threads = threads;
    this.most = most;
    this.ticker = ticker;
    this.patience = patience.toNanos();
    this.free = new Semaphore(most);
    this.redirections = new RedirectionHandler(number, topology, this::runAt);
  }

  /**
   * For how long the server has owed an answer, in nanoseconds: since the oldest call to which
   * nothing of the answer has arrived, even if it was given up since the last answer; 0 if nothing
   * is owed. Locating and connecting the server counts too.
   */
  long silent() {
    return silence.nanos(ticker.nanoTime());
  }

  /** Opens a connection and measures for how long the server keeps it waiting. */
  private RedisConnection opened(Function<ConnectLatency, RedisConnection> open) {
    ConnectLatency opening = new ConnectLatency(ticker.nanoTime());
    silence.begin(opening);
    try {
      RedisConnection connection = open.apply(opening);
      silence.end(opening); // the operating system of a frozen server still accepts connections
      return connection;
    } catch (RuntimeException | Error failed) {
      silence.givenUp(opening, ticker.nanoTime());
      throw failed;
    }
  }

  /** Completed, never exceptionally, when each call has its reply or its failure. */
  CompletionStage<?> send(List<EvalCall> calls) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    long since = ticker.nanoTime();
    boolean waitsForThread = free.availablePermits() > 0;
    try {
      threads.execute(
          () -> {
            try {
              execute(calls, waitsForThread ? sinceBegun(since) : since);
            } finally {
              done.complete(null);
            }
          });
    } catch (RejectedExecutionException full) {
      fail(calls, RedisThreadPools.failure(full));
      done.complete(null);
    }
    return done;
  }

  /**
   * Sends calls on the calling thread, if a connection is free that worked a moment ago. Answers
   * that it would have to wait for longer than it may are left to another thread.
   */
  CompletionStage<?> sendBlocking(List<EvalCall> calls, long mostMicros, Runnable meanwhile) {
    // Threads that wait for a connection come first.
    if (free.hasQueuedThreads() || !free.tryAcquire()) {
      return send(calls);
    }
    RedisConnection connection = freshConnection();
    if (connection == null) {
      free.release();
      return send(calls);
    }
    silence.begin(connection.silence());
    boolean over = begin(connection, calls, mostMicros, meanwhile);
    if (over) {
      release(connection, calls);
    }
    return over && !redirections.hasAny(calls)
        ? CompletableFuture.completedFuture(null)
        : finishElsewhere(connection, calls, over);
  }

  private @Nullable RedisConnection freshConnection() {
    RedisConnection connection = idle.poll();
    if (connection == null
        || topology.knows(number, connection.endpoint()) && factory.isFresh(connection)) {
      return connection;
    }
    idle.push(connection); // for a thread that has the time to check it
    return null;
  }

  /** Begins executing calls; true if all are answered or have failed. */
  private boolean begin(
      RedisConnection connection, List<EvalCall> calls, long mostMicros, Runnable meanwhile) {
    try {
      boolean over = factory.begin(connection, calls, mostMicros, meanwhile);
      broken = over ? Optional.empty() : broken;
      return over;
    } catch (ConnectionException e) {
      broke(calls, e.failure());
    } catch (RuntimeException | Error odd) {
      broke(calls, Failure.away(odd.toString()));
    }
    return true;
  }

  private CompletionStage<?> finishElsewhere(
      RedisConnection connection, List<EvalCall> calls, boolean over) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    try {
      threads.execute(
          () -> {
            try {
              if (!over) {
                finish(connection, calls);
              }
              redirections.handle(calls);
            } finally {
              done.complete(null);
            }
          });
    } catch (RejectedExecutionException full) {
      leave(calls, RedisThreadPools.failure(full));
      if (!over) {
        silence.end(connection.silence());
        factory.drop(connection);
        free.release();
      }
      done.complete(null);
    }
    return done;
  }

  private void finish(RedisConnection connection, List<EvalCall> calls) {
    try {
      factory.finish(connection, calls);
      broken = Optional.empty();
    } catch (ConnectionException e) {
      broke(calls, e.failure());
    } catch (RuntimeException | Error odd) {
      broke(calls, Failure.away(odd.toString()));
    } finally {
      release(connection, calls);
    }
  }

  /** Opens all connections; completed, never exceptionally, with the failure, if any. */
  CompletionStage<Optional<Failure>> connect() {
    CompletableFuture<Optional<Failure>> done = new CompletableFuture<>();
    try {
      threads.execute(() -> done.complete(open()));
    } catch (RejectedExecutionException full) {
      done.complete(Optional.of(RedisThreadPools.failure(full)));
    }
    return done;
  }

  private Optional<Failure> open() {
    List<RedisConnection> open = new ArrayList<>();
    try {
      while (open.size() < most) {
        open.add(connection()); // an idle one, as long as there is one
      }
      return Optional.empty();
    } catch (ConnectionException e) {
      return Optional.of(e.failure());
    } catch (RuntimeException odd) {
      return Optional.of(Failure.away(odd.toString()));
    } finally {
      open.forEach(this::rest);
    }
  }

  /** Keeps a connection unless other threads have opened enough meanwhile. */
  private void rest(RedisConnection connection) {
    if (idle.size() < most) {
      idle.push(connection);
    } else {
      factory.drop(connection);
    }
  }

  // If a connection was free, a late thread wasn't waiting for Redis. But calls that are much too
  // old aren't sent any more.
  private long sinceBegun(long since) {
    long now = ticker.nanoTime();
    return now - since < MAX_LATE * patience ? now : since;
  }

  private void execute(List<EvalCall> calls, long since) {
    if (!acquire(patience - (ticker.nanoTime() - since))) {
      String why = broken.map(last -> "; the last one: " + last.text()).orElse("");
      fail(calls, Failure.away("waited too long for a connection" + why));
      return;
    }
    try {
      run(calls);
      broken = Optional.empty();
    } catch (ConnectionException e) {
      broke(calls, e.failure());
    } catch (RuntimeException | Error odd) { // which would only end this thread
      broke(calls, Failure.away(odd.toString()));
    } finally {
      free.release();
    }
    redirections.handle(calls);
  }

  private boolean acquire(long nanos) {
    try {
      return nanos >= 0 && free.tryAcquire(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void broke(List<EvalCall> calls, Failure why) {
    broken = Optional.of(why);
    leave(calls, why);
    drop();
  }

  /** Sets the failure of the calls without an answer. */
  private static void leave(List<EvalCall> calls, Failure why) {
    calls.stream()
        .filter(each -> each.hasFailedBy(FailureKind.AWAY))
        .forEach(each -> each.fail(why));
  }

  private static void fail(List<EvalCall> calls, Failure why) {
    calls.forEach(each -> each.fail(why));
  }

  private void run(List<EvalCall> calls) {
    RedisConnection connection = connection();
    silence.begin(connection.silence());
    try {
      factory.run(connection, calls, false);
    } finally {
      rest(connection, calls);
    }
  }

  private void release(RedisConnection connection, List<EvalCall> calls) {
    rest(connection, calls);
    free.release();
  }

  /** Keeps a connection for the next calls, unless it has failed or leads elsewhere. */
  private void rest(RedisConnection connection, List<EvalCall> calls) {
    ended(connection);
    // An unknown error may be about half a command: then the answers are out of step, and the next
    // call would get those of this one.
    boolean sound = connection.isAnswered();
    for (EvalCall call : calls) {
      sound &= !call.hasFailedBy(FailureKind.OTHER);
    }
    if (sound && topology.knows(number, connection.endpoint())) {
      rest(connection);
    } else {
      factory.drop(connection);
    }
  }

  private void ended(RedisConnection connection) {
    if (connection.isAnswered()) {
      silence.answered(connection.silence());
    } else {
      silence.givenUp(connection.silence(), ticker.nanoTime());
    }
  }

  private RedisConnection connection() {
    return opened(this::openOrIdle);
  }

  private RedisConnection openOrIdle(ConnectLatency opening) {
    for (RedisConnection connection = idle.poll(); connection != null; connection = idle.poll()) {
      opening.connected(connection.silence());
      if (topology.knows(number, connection.endpoint()) && factory.works(connection)) {
        return connection;
      }
      factory.drop(connection);
    }
    opening.restart(ticker.nanoTime());
    RedisConnection connection = opener.apply(topology.find(number), opening);
    boolean checked = false;
    try {
      factory.check(connection, topology);
      checked = true;
      return connection;
    } finally {
      if (!checked) {
        factory.drop(connection);
      }
    }
  }

  private void runAt(HostAndPort target, List<EvalCall> calls, boolean asking) {
    try {
      RedisConnection connection = opened(opening -> opener.apply(target, opening));
      silence.begin(connection.silence());
      try {
        factory.run(connection, calls, asking);
      } finally {
        ended(connection);
        factory.drop(connection);
      }
    } catch (ConnectionException e) {
      leave(calls, e.failure());
    } catch (RuntimeException | Error odd) {
      leave(calls, Failure.away(odd.toString()));
    }
  }

  /** Ends idle connections, and has the master located again for the next one. */
  void drop() {
    topology.doubt();
    endIdle();
  }

  void endIdle() {
    for (RedisConnection connection = idle.poll(); connection != null; connection = idle.poll()) {
      factory.drop(connection);
    }
  }
}
