package io.weir.benchmarks.cold;

import io.weir.benchmarks.redis.CallerStore;
import io.weir.benchmarks.redis.Contender;
import io.weir.benchmarks.redis.Newcomers;
import io.weir.benchmarks.redis.RedisCallers;
import io.weir.compat.redis.RedisServer;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * A contender with a store and a group of threads of its own, so that the work of its threads can
 * be distinguished from that of the others.
 *
 * <p>Confine to one thread.
 */
public final class Candidate implements AutoCloseable {
  private final ThreadGroup group = new ThreadGroup("candidate");
  private final CallerStore store;
  private final Contender contender;

  /** Has a thread of the group make it; closes the store with it. */
  public Candidate(CallerStore store, Supplier<Contender> maker)
      throws InterruptedException, ExecutionException {
    this.store = store;
    FutureTask<Contender> made = new FutureTask<>(maker::get);
    new Thread(group, made).start();
    contender = made.get();
  }

  /** Has a thread of the group make one that has a Redis, given the port of that. */
  public static Candidate onRedis(IntFunction<Contender> maker)
      throws InterruptedException, ExecutionException {
    RedisServer redis = RedisServer.start();
    return new Candidate(new RedisCallers(redis), () -> maker.apply(redis.port()));
  }

  /** Callers that come to it once each. */
  public Newcomers newcomers() {
    return new Newcomers(group, contender::admits, store);
  }

  @Override
  public void close() {
    contender.close();
    store.close();
  }
}
