package io.weir.internal.redis.connection;

import io.weir.internal.redis.address.HostAndPort;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * An open connection that is logged in.
 *
 * <p>Confine to one thread, but for {@link #abort}, {@link #left} and {@link #silence}.
 */
final class RedisConnection implements AutoCloseable {
  /**
   * The number of time-outs that an exchange may take longer if its answer has arrived but isn't
   * read.
   */
  private static final int MAX_TIMEOUTS_BEHIND = 4;

  private final HostAndPort endpoint;
  private final FlushableConnection jedis;
  private final Socket socket;
  private final BoundedReplySocket checked;
  private final SocketOpener sockets;
  private final Deque<EvalCall> unanswered = new ArrayDeque<>();
  private long taken;
  private long usedAt;
  private boolean answered;
  private boolean bound;
  private boolean watched;
  private long end;
  private final LongUnaryOperator silence;

  /**
   * Leaves the login to the caller.
   *
   * @param socket the underlying socket, whose closing ends the connection at once
   * @param sockets learns that the server has answered, and knows why it may not
   */
  RedisConnection(
      HostAndPort endpoint,
      FlushableConnection jedis,
      Socket socket,
      BoundedReplySocket checked,
      SocketOpener sockets) {
    this.endpoint = endpoint;
    this.jedis = jedis;
    this.socket = socket;
    this.checked = checked;
    this.silence = checked::silent;
    this.sockets = sockets;
  }

  HostAndPort endpoint() {
    return endpoint;
  }

  /** Returns when it last worked. */
  long usedAt() {
    return usedAt;
  }

  void markUsed(long now) {
    usedAt = now;
  }

  /**
   * Begins an exchange that must have ended by a time; true if the caller has to watch it from now
   * on.
   */
  synchronized boolean beginExchange(long endNanos) {
    end = endNanos;
    bound = true;
    boolean unwatched = !watched;
    watched = true;
    return unwatched;
  }

  synchronized void endExchange() {
    bound = false;
  }

  /** Returns {@link BoundedReplySocket#silent} at a given time, as one object for all calls. */
  LongUnaryOperator silence() {
    return silence;
  }

  /**
   * Aborts an exchange that should have ended; returns how long the one in flight may take, 0 if
   * there is none.
   */
  synchronized long left(long now, long allowed) {
    long left = bound ? Math.max(0, end - now) : 0;
    if (bound && left == 0) {
      // This process is late with the rest, not the server; but that is bounded.
      left =
          now - end < MAX_TIMEOUTS_BEHIND * allowed
              ? Math.max(0, allowed - checked.silent(now))
              : 0;
    }
    if (bound && left == 0) {
      abort();
    }
    watched = left > 0;
    return left;
  }

  /**
   * Executes calls in order, and again those whose script Redis has forgotten: they are known not
   * to have been executed.
   */
  void run(List<EvalCall> calls, boolean asking, int readMillis) {
    waitAtMost(readMillis);
    send(calls, asking, false);
    finish(calls, asking, readMillis);
  }

  /**
   * Begins executing calls, and reads their answers as long as they arrive in time; false if it
   * hasn't ended by then: {@link #finish} has to be called, by any thread.
   *
   * @param meanwhile runs once they are sent
   */
  boolean begin(List<EvalCall> calls, int readMillis, Runnable meanwhile) {
    waitAtMost(readMillis);
    send(calls, false, false);
    meanwhile.run();
    while (!unanswered.isEmpty()) {
      if (!hasReply()) {
        return false;
      }
      take(false);
    }
    return !anyForgotten(calls);
  }

  void finish(List<EvalCall> calls, boolean asking, int readMillis) {
    waitAtMost(readMillis);
    takeAll(asking);
    if (anyForgotten(calls)) {
      send(
          calls.stream().filter(each -> each.hasFailedBy(FailureKind.NOSCRIPT)).toList(),
          asking,
          true);
      takeAll(asking);
    }
  }

  private static boolean anyForgotten(List<EvalCall> calls) {
    for (EvalCall call : calls) {
      if (call.hasFailedBy(FailureKind.NOSCRIPT)) {
        return true;
      }
    }
    return false;
  }

  private void waitAtMost(int millis) {
    try {
      checked.setSoTimeout(millis);
    } catch (IOException closed) {
      throw broken(new JedisConnectionException(closed));
    }
  }

  private void send(List<EvalCall> calls, boolean asking, boolean inFull) {
    Set<ByteBuffer> told = inFull ? new HashSet<>() : Set.of();
    taken = checked.replies().replies();
    for (EvalCall call : calls) {
      call.markSent();
    }
    try {
      for (EvalCall call : calls) {
        if (asking) {
          jedis.sendCommand(Command.ASKING);
        }
        jedis.sendCommand(call.command(inFull && told.add(ByteBuffer.wrap(call.sha()))));
        unanswered.add(call);
      }
      jedis.flush();
    } catch (RuntimeException e) {
      throw broken(e);
    }
  }

  boolean isAnswered() {
    return unanswered.isEmpty() && !jedis.isBroken();
  }

  /** Returns whether a reply has arrived, or begins to arrive in time. */
  private boolean hasReply() {
    try {
      return checked.replies().replies() > taken || checked.replies().await();
    } catch (IOException e) {
      throw broken(new JedisConnectionException(e));
    }
  }

  private void takeAll(boolean asking) {
    while (!unanswered.isEmpty()) {
      take(asking);
    }
  }

  private void take(boolean asking) {
    try {
      if (asking) {
        read();
      }
      take(unanswered.remove());
    } catch (RuntimeException e) {
      throw broken(e);
    }
  }

  private void take(EvalCall call) {
    Object answer = read();
    if (answer instanceof JedisDataException error) {
      call.fail(Failure.of(String.valueOf(error.getMessage())));
    } else {
      call.answer(answer);
    }
  }

  private @Nullable Object read() {
    Object reply;
    try {
      reply = jedis.getOne();
    } catch (JedisDataException error) {
      reply = error;
    }
    markAnswered();
    taken++;
    return reply;
  }

  /** Records that the server has answered. */
  void markAnswered() {
    if (!answered) {
      answered = true;
      sockets.markAnswered(endpoint);
    }
  }

  @Nullable Object ask(Command command, String... words) {
    CommandArguments arguments = new CommandArguments(command);
    for (String word : words) {
      arguments.add(word);
    }
    try {
      Object answer = jedis.executeCommand(arguments);
      markAnswered();
      return answer;
    } catch (JedisDataException refused) {
      markAnswered();
      throw new ConnectionException(Failure.of(String.valueOf(refused.getMessage())));
    } catch (RuntimeException e) {
      throw broken(e);
    }
  }

  private ConnectionException broken(RuntimeException e) {
    Throwable cause = e.getCause() instanceof IOException io ? io : e;
    String hint = answered ? "" : sockets.hint(endpoint, cause);
    String why = socket.isClosed() ? "it took too long" : cause.getMessage() + hint;
    return new ConnectionException(
        Failure.away("Redis at " + endpoint + " doesn't answer: " + why));
  }

  /** Ends it from another thread: a thread that waits for an answer fails at once. */
  void abort() {
    // Not by way of Jedis, which would flush first and wait for the same server.
    ConnectDeadlines.close(socket);
  }

  @Override
  public void close() {
    abort();
  }
}
