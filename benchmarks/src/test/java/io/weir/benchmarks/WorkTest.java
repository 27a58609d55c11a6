package io.weir.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WorkTest {
  private static final int BYTES = 10_000_000;

  private final CountDownLatch done = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);
  private final AtomicReference<byte[]> made = new AtomicReference<>();

  private void allocate() {
    made.set(new byte[BYTES]);
    done.countDown();
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void countsTheThreadsOfAGroupAndOfNoOther() throws InterruptedException {
    ThreadGroup group = new ThreadGroup("watched");
    Work.Watch watch = new Work.Watch(group);
    Work.Watch another = new Work.Watch(new ThreadGroup("another"));
    Thread thread = new Thread(group, this::allocate);
    thread.start();
    done.await();
    Work seen = watch.sofar();
    Work notSeen = another.sofar();
    over.countDown();
    thread.join();
    assertTrue(seen.bytes() >= BYTES, seen.toString());
    assertTrue(seen.cpuNanos() > 0, seen.toString());
    assertTrue(notSeen.bytes() < BYTES, notSeen.toString());
  }

  @Test
  void aThreadTellsItsOwn() {
    Work before = Work.ofThisThread();
    made.set(new byte[BYTES]);
    assertTrue(Work.ofThisThread().bytes() >= before.bytes() + BYTES);
  }

  @Test
  void addsUp() {
    assertEquals(new Work(4, 6), new Work(1, 2).plus(new Work(3, 4)));
  }
}
