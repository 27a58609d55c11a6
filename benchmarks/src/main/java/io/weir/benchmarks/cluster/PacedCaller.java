package io.weir.benchmarks.cluster;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends requests to one node at random times that are fixed beforehand, so that a late answer
 * delays none of those to come.
 *
 * <p>One thread runs it; others read it when that has ended.
 */
final class PacedCaller implements Runnable {
  private final Cluster cluster;
  private final int node;
  private final Limit limit;
  private final String key;
  private final double perMicro;
  private final long from;
  private final long to;
  private final SplittableRandom random;
  private final Admissions admissions = new Admissions();
  private final Admissions withStore = new Admissions();
  private int[] micros = new int[4_096];
  private int asked;
  private long degraded;

  /** One of several callers of a limit, which share its load alike. */
  PacedCaller(
      Cluster cluster, int number, Limit limit, String key, int callers, long from, long to) {
    this.cluster = cluster;
    this.node = number % Cluster.NODES;
    this.limit = limit;
    this.key = key;
    this.perMicro = limit.offeredPerSecond() / callers / 1e6;
    this.from = from;
    this.to = to;
    this.random = new SplittableRandom(limit.permits() * callers + number);
  }

  @Override
  public void run() {
    for (double due = from + gap(); due < to; due += gap()) {
      await((long) due);
      ask();
    }
  }

  private double gap() {
    return -Math.log(1 - random.nextDouble()) / perMicro;
  }

  private static void await(long due) {
    for (long now = Clock.micros(); now < due; now = Clock.micros()) {
      LockSupport.parkNanos((due - now) * 1_000);
    }
  }

  private void ask() {
    long before = Clock.micros();
    Cluster.Answer answer = cluster.ask(node, limit, key);
    long after = Clock.micros();
    if (answer.admitted()) {
      admissions.add(before, after, answer.mark());
    }
    if (answer.admitted() && !answer.degraded()) {
      withStore.add(before, after, answer.mark());
    }
    degraded += answer.degraded() ? 1 : 0;
    micros = asked == micros.length ? Arrays.copyOf(micros, 2 * asked) : micros;
    micros[asked++] = (int) (after - before);
  }

  Admissions admissions() {
    return admissions;
  }

  /** Those that weren't decided without the store. */
  Admissions withStore() {
    return withStore;
  }

  int[] micros() {
    return Arrays.copyOf(micros, asked);
  }

  long degraded() {
    return degraded;
  }
}
