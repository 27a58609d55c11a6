package io.weir.benchmarks.day;

import io.weir.benchmarks.Latencies;
import io.weir.benchmarks.Work;
import io.weir.benchmarks.cluster.Admissions;
import io.weir.benchmarks.redis.RedisWork;
import io.weir.compat.redis.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Requests at times that are set beforehand, from as many threads as a server has. Each thread has
 * visits of its own. What a request takes is counted from when it was due: so a limiter that keeps
 * a thread waiting has to answer for the requests behind it too.
 *
 * <p>Confine to one thread.
 */
final class VisitLoad {
  /** As many as Tomcat has by default. */
  static final int THREADS = 200;

  private static final int SLICES = 5;
  private static final int WATCHED = 16;
  private static final long TO_GET_READY = 100_000_000;
  private static final long GRACE = 200_000_000;

  private final AtomicReference<@Nullable Throwable> trouble = new AtomicReference<>();

  /** Until all has been read, since a thread that has ended can't be asked. */
  private final CountDownLatch seen = new CountDownLatch(1);

  private final Nodes nodes;
  private final Balancer balancer;
  private final double perSecond;
  private final long begin = System.nanoTime() + TO_GET_READY;
  private final long from;
  private final long to;

  private VisitLoad(
      Nodes nodes, Balancer balancer, double perSecond, long warmUpMillis, long millis) {
    this.nodes = nodes;
    this.balancer = balancer;
    this.perSecond = perSecond;
    this.from = begin + warmUpMillis * 1_000_000;
    this.to = from + millis * 1_000_000;
  }

  /**
   * Puts nodes of their own under load.
   *
   * @param perSecond requests
   * @param warmUpMillis what doesn't count
   * @param millis what counts
   */
  static Outcome run(
      Nodes.Maker maker, Balancer balancer, double perSecond, long warmUpMillis, long millis)
      throws InterruptedException {
    try (RedisServer redis = RedisServer.start();
        Nodes nodes = maker.make(redis.port(), THREADS)) {
      return new VisitLoad(nodes, balancer, perSecond, warmUpMillis, millis).run(redis);
    }
  }

  private Outcome run(RedisServer redis) throws InterruptedException {
    List<Sender> senders = IntStream.range(0, THREADS).mapToObj(Sender::new).toList();
    List<Thread> threads = new ArrayList<>();
    for (Sender sender : senders) {
      Thread thread = new Thread(sender, "request-" + sender.number);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
    sleepUntil(from);
    RedisWork before = RedisWork.of(redis);
    Work.Watch watch = new Work.Watch(Thread.currentThread().getThreadGroup());
    nodes.forgetWatched();
    long exchanges = nodes.exchanges();
    sleepUntil(to);
    exchanges = nodes.exchanges() - exchanges;
    double withoutIo = nodes.withoutIoPercent();
    Work node = watch.sofar();
    RedisWork after = RedisWork.of(redis).since(before);
    seen.countDown();
    for (Thread each : threads) {
      each.join();
    }
    Throwable mistake = trouble.get();
    if (mistake != null) {
      throw new IllegalStateException("a request failed", mistake);
    }
    return new Outcome(
        IntStream.range(0, SLICES).mapToObj(slice -> slice(senders, slice)).toList(),
        senders.stream().mapToLong(sender -> sender.late).sum(),
        senders.stream().mapToLong(sender -> sender.sent).sum(),
        exchanges,
        withoutIo,
        node,
        after,
        Admissions.of(senders.stream().map(sender -> sender.admissions).toList()));
  }

  private static Latencies slice(List<Sender> senders, int slice) {
    Latencies all = new Latencies();
    senders.forEach(sender -> all.addAll(sender.slices.get(slice)));
    return all;
  }

  private static void sleepUntil(long nanos) throws InterruptedException {
    long left = nanos - System.nanoTime();
    if (left > 0) {
      Thread.sleep(left / 1_000_000, (int) (left % 1_000_000));
    }
  }

  private final class Sender implements Runnable {
    private final int number;
    private final Visits visits;
    private final SplittableRandom random;
    private final Admissions admissions = new Admissions();
    private final List<Latencies> slices =
        IntStream.range(0, SLICES).mapToObj(any -> new Latencies()).toList();
    private long sent;
    private long late;

    Sender(int number) {
      this.number = number;
      this.visits = new Visits(number, 1.0 / THREADS, perSecond, begin);
      this.random = new SplittableRandom(-number);
    }

    @Override
    public void run() {
      try {
        for (long due = visits.due(); due < to; due = visits.due()) {
          if (await(due) > to + GRACE) {
            giveUp(due);
          } else {
            send(due, visits.next());
          }
        }
        seen.await();
      } catch (InterruptedException | RuntimeException | Error mistake) {
        trouble.set(mistake);
      }
    }

    private long await(long due) {
      long now = System.nanoTime();
      while (now < due) {
        LockSupport.parkNanos(due - now);
        now = System.nanoTime();
      }
      return now;
    }

    private void giveUp(long due) {
      visits.next();
      if (due >= from) {
        count(due, System.nanoTime());
        late++;
      }
    }

    private void send(long due, Visits.Visit visit) {
      int node = balancer.node(visit.user(), random);
      boolean watched = random.nextInt(WATCHED) == 0;
      long before = System.nanoTime();
      boolean admitted =
          watched ? nodes.admitsWatched(node, visit.name()) : nodes.admits(node, visit.name());
      long after = System.nanoTime();
      if (due >= from) {
        sent++;
        if (!watched) {
          count(due, after);
        }
      }
      if (admitted) {
        admissions.add(before / 1_000, after / 1_000, visit.user());
      }
    }

    private void count(long due, long now) {
      slices.get((int) ((due - from) * SLICES / (to - from))).add(now - due);
    }
  }
}
