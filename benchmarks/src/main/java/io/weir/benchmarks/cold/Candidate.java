package io.weir.benchmarks.cold;

import io.weir.benchmarks.redis.Contender;
import io.weir.benchmarks.redis.Newcomers;
import io.weir.compat.redis.RedisServer;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.IntFunction;

/**
 * A contender with a Redis and a group of threads of its own, so that the work of its threads can
 * be distinguished from that of the others.
 *
 * <p>Confine to one thread.
 */
final class Candidate implements AutoCloseable {
  private final ThreadGroup group = new ThreadGroup("candidate");
  private final RedisServer redis = RedisServer.start();
  private final Contender contender;

  /** Has a thread of the group make it, given the port of its Redis. */
  Candidate(IntFunction<Contender> maker) throws InterruptedException, ExecutionException {
    FutureTask<Contender> made = new FutureTask<>(() -> maker.apply(redis.port()));
    new Thread(group, made).start();
    contender = made.get();
  }

  /** Callers who come to it once each. */
  Newcomers newcomers() {
    return new Newcomers(group, contender::admits, redis);
  }

  @Override
  public void close() {
    contender.close();
    redis.close();
  }
}
