package io.weir.internal.redis.connection;

import io.weir.internal.redis.address.HostAndPort;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
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
 * One open connection, logged in.
 *
 * <p>Confine to one thread, but for {@link #abort}, {@link #left} and {@link #silence}.
 */
final class RedisConnection implements AutoCloseable {
  /** So many more time-outs may an exchange take whose answer has arrived but isn't read. */
  private static final int MOST_BEHIND = 4;

  private final HostAndPort endpoint;
  private final FlushedConnection jedis;
  private final Socket socket;
  private final CheckedSocket checked;
  private final String hint;
  private final Deque<EvalCall> unanswered = new ArrayDeque<>();
  private long taken;
  private long usedAt;
  private boolean answered;
  private boolean bound;
  private boolean watched;
  private long end;
  private final LongUnaryOperator silence;

  /**
   * Logging in is up to the caller.
   *
   * @param socket ends the connection at once when it is closed, as this does
   * @param checked what Jedis reads from
   * @param hint follows what is said of a server that hangs up before it has answered anything
   */
  RedisConnection(
      HostAndPort endpoint,
      FlushedConnection jedis,
      Socket socket,
      CheckedSocket checked,
      String hint) {
    this.endpoint = endpoint;
    this.jedis = jedis;
    this.socket = socket;
    this.checked = checked;
    this.silence = checked::silent;
    this.hint = hint;
  }

  HostAndPort endpoint() {
    return endpoint;
  }

  /** When it was last seen to work. */
  long usedAt() {
    return usedAt;
  }

  void used(long now) {
    usedAt = now;
  }

  /** Something begins that must be over by a time; true if somebody has to watch from now on. */
  synchronized boolean bound(long endNanos) {
    end = endNanos;
    bound = true;
    boolean unwatched = !watched;
    watched = true;
    return unwatched;
  }

  /** It is over. */
  synchronized void unbound() {
    bound = false;
  }

  /** Tells {@link CheckedSocket#silent} by the time that it is now; always the same object. */
  LongUnaryOperator silence() {
    return silence;
  }

  /** Aborts what should be over; says how long what is under way may take, 0 if there is none. */
  synchronized long left(long now, long allowed) {
    long left = bound ? Math.max(0, end - now) : 0;
    if (bound && left == 0) {
      // It is this process that is late with the rest, not the server; but not for ever.
      left = now - end < MOST_BEHIND * allowed ? Math.max(0, allowed - checked.silent(now)) : 0;
    }
    if (bound && left == 0) {
      abort();
    }
    watched = left > 0;
    return left;
  }

  /**
   * Executes calls in order, and once more those whose script Redis has forgotten: they are known
   * not to have been executed.
   */
  void run(List<EvalCall> calls, boolean asking, int readMillis) {
    waitAtMost(readMillis);
    send(calls, asking, false);
    finish(calls, asking, readMillis);
  }

  /**
   * Begins to execute calls, and reads their answers as long as none lets wait.
   *
   * @param meanwhile is run once they are sent
   * @return false if it isn't over by then: {@link #finish} is to be called, by any thread
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

  /** Ends what {@link #begin} began. */
  void finish(List<EvalCall> calls, boolean asking, int readMillis) {
    waitAtMost(readMillis);
    takeAll(asking);
    if (anyForgotten(calls)) {
      send(calls.stream().filter(each -> each.met(FailureKind.NOSCRIPT)).toList(), asking, true);
      takeAll(asking);
    }
  }

  private static boolean anyForgotten(List<EvalCall> calls) {
    for (EvalCall call : calls) {
      if (call.met(FailureKind.NOSCRIPT)) {
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
      call.unanswered();
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

  /** Whether nothing is under way: whatever was sent is answered. */
  boolean isAnswered() {
    return unanswered.isEmpty() && !jedis.isBroken();
  }

  /** Whether a reply is there, or begins to be there in time. */
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
      call.failed(Failure.of(String.valueOf(error.getMessage())));
    } else {
      call.answered(answer);
    }
  }

  /** An answer, or the error that came instead. */
  private @Nullable Object read() {
    Object reply;
    try {
      reply = jedis.getOne();
    } catch (JedisDataException error) {
      reply = error;
    }
    answered = true;
    taken++;
    return reply;
  }

  /** Asks something and waits for the answer. */
  @Nullable Object ask(Command command, String... words) {
    CommandArguments arguments = new CommandArguments(command);
    for (String word : words) {
      arguments.add(word);
    }
    try {
      return jedis.executeCommand(arguments);
    } catch (JedisDataException refused) {
      throw new ConnectionException(Failure.of(String.valueOf(refused.getMessage())));
    } catch (RuntimeException e) {
      throw broken(e);
    }
  }

  private ConnectionException broken(RuntimeException e) {
    Throwable cause = e.getCause() instanceof IOException io ? io : e;
    boolean hungUp = !answered && !(cause instanceof SocketTimeoutException);
    String why = socket.isClosed() ? "it took too long" : cause.getMessage() + (hungUp ? hint : "");
    return new ConnectionException(
        Failure.away("Redis at " + endpoint + " doesn't answer: " + why));
  }

  /** Ends it from another thread: whoever waits for an answer is told at once. */
  void abort() {
    // Not by way of Jedis, which would flush first and wait for the same server.
    ConnectDeadlines.close(socket);
  }

  @Override
  public void close() {
    abort();
  }
}
