package io.weir.internal.redis.connection;

import java.util.function.LongUnaryOperator;

/**
 * Tells for how long others than this process have kept a connection from being ready, in
 * nanoseconds by the time that it is now.
 *
 * <p>While it is found out where the server is, and until it is connected, all the time counts.
 * From then on only what the server owes: to load the classes that log in takes a new process
 * longer than the server.
 *
 * <p>Safe for concurrent use.
 */
final class OpeningDelay implements LongUnaryOperator {
  private volatile LongUnaryOperator stage;

  /** Begins to look for the server. */
  OpeningDelay(long now) {
    stage = since(now);
  }

  private static LongUnaryOperator since(long start) {
    return now -> now - start;
  }

  /** Begins anew. */
  void restart(long now) {
    stage = since(now);
  }

  /** The server is connected, and only its answers are waited for. */
  void connected(LongUnaryOperator silence) {
    stage = silence;
  }

  @Override
  public long applyAsLong(long now) {
    return stage.applyAsLong(now);
  }
}
