package io.weir.compat.cluster.node;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread's worth of requests: it asks, takes note, and asks again.
 *
 * <p>One thread runs it; others may only {@link #stop} it until it has ended.
 */
final class Caller implements Runnable {
  private final RateLimiter limiter;
  private final Policy policy;
  private final List<Key> keys;
  private final int number;
  private final long startAt;
  private final long most;
  private final long pauseNanos;
  private final List<Sample> samples = new ArrayList<>();
  private final List<String> errors = new ArrayList<>();
  private volatile boolean stopped;

  private Caller(
      RateLimiter limiter,
      Policy policy,
      List<Key> keys,
      int number,
      long startAt,
      long most,
      long pauseNanos) {
    this.limiter = limiter;
    this.policy = policy;
    this.keys = keys;
    this.number = number;
    this.startAt = startAt;
    this.most = most;
    this.pauseNanos = pauseNanos;
  }

  /** One that sends so many requests at once, at a moment that all nodes know. */
  static Caller burst(
      RateLimiter limiter, Policy policy, Key key, int number, long startAt, long requests) {
    return new Caller(limiter, policy, List.of(key), number, startAt, requests, 0);
  }

  /** One that sends requests for each key in turn, with a pause after each, until it is stopped. */
  static Caller steady(
      RateLimiter limiter, Policy policy, List<Key> keys, int number, long pauseNanos) {
    long now = Ticker.system().nanoTime();
    return new Caller(limiter, policy, keys, number, now, Long.MAX_VALUE, pauseNanos);
  }

  void stop() {
    stopped = true;
  }

  List<Sample> samples() {
    return samples;
  }

  List<String> errors() {
    return errors;
  }

  @Override
  public void run() {
    awaitStart();
    for (long i = 0; i < most && (i == 0 || !stopped); i++) {
      ask((int) ((number + i) % keys.size()));
      if (pauseNanos > 0) {
        LockSupport.parkNanos(pauseNanos);
      }
    }
  }

  private void awaitStart() {
    long left = startAt - Ticker.system().nanoTime();
    while (left > 0) {
      LockSupport.parkNanos(left);
      left = startAt - Ticker.system().nanoTime();
    }
  }

  // Whatever fails is what the test is about.
  private void ask(int which) {
    long before = Ticker.system().nanoTime();
    try {
      Decision decision = limiter.tryAcquire(policy, keys.get(which));
      long after = Ticker.system().nanoTime();
      samples.add(
          new Sample(before, after, number, which, decision.admitted(), decision.degraded()));
    } catch (RuntimeException | Error failed) {
      errors.add(failed.toString());
    }
  }
}
