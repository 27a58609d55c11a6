package io.weir.internal.redis.connection;

import java.util.function.LongUnaryOperator;

/**
 * Measures for how long the server, not this process, has kept a connection from being ready, in
 * nanoseconds at a given time.
 *
 * <p>While the server is being located and until it is connected, all the time counts. From then on
 * only the time for which the server owes an answer: in a new process, loading the classes for the
 * login takes longer than the server does.
 *
 * <p>Safe for concurrent use.
 */
final class ConnectLatency implements LongUnaryOperator {
  private volatile LongUnaryOperator stage;

  ConnectLatency(long now) {
    stage = since(now);
  }

  private static LongUnaryOperator since(long start) {
    return now -> now - start;
  }

  void restart(long now) {
    stage = since(now);
  }

  /** Notes that the server is connected, so that only its silence counts. */
  void connected(LongUnaryOperator silence) {
    stage = silence;
  }

  @Override
  public long applyAsLong(long now) {
    return stage.applyAsLong(now);
  }
}
