package io.weir.internal.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.writeback.Bench;
import io.weir.testkit.virtual.VirtualClock;
import io.weir.testkit.virtual.VirtualScheduler;
import io.weir.testkit.virtual.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Test;

/** Time of a node, and what is run at a time of it. */
class SafeSchedulerTest {
  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final Bench.Told told = new Bench.Told();
  private final SafeScheduler scheduler =
      new SafeScheduler(new VirtualScheduler(time), told::failed);
  private final List<String> ran = new ArrayList<>();

  @Test
  void runsAStepWhenItsTimeHasComeUnlessItIsCalledOff() {
    scheduler.runAfter(1_000, () -> ran.add("after"));
    Future<?> cancelled = scheduler.schedule(1_000, () -> ran.add("cancelled"));
    time.run(Duration.ofNanos(999_000));
    assertEquals(List.of(), ran);
    cancelled.cancel(false);
    time.run(Duration.ofNanos(1_000));
    assertEquals(List.of("after"), ran);
  }

  @Test
  void whatIsThrownIsReported() {
    Error mistake = new AssertionError("mistake");
    scheduler.runAfter(
        1,
        () -> {
          throw mistake;
        });
    time.run(Duration.ofMillis(1));
    assertEquals(1, told.failures.size());
    assertSame(mistake, told.failures.get(0));
  }

  @Test
  void runsNothingOnceTheSchedulerIsShutDown() {
    ScheduledExecutorService closed = Executors.newSingleThreadScheduledExecutor();
    closed.shutdown();
    SafeScheduler late = new SafeScheduler(closed, told::failed);
    Future<?> never = late.schedule(1, () -> ran.add("never"));
    assertFalse(never.isDone());
    assertTrue(never.cancel(false));
    assertEquals(List.of(), ran);
  }

  @Test
  void timeBeginsWithItsClockAndCountsWholeMicroseconds() {
    NodeClock clock = new NodeClock(new VirtualClock(time, 77_700_000, 0, 0));
    assertEquals(0, clock.micros());
    time.run(Duration.ofNanos(3_000));
    assertEquals(3, clock.micros());
  }

  @Test
  void aTimeThatIsTooFarOffIsNever() {
    assertEquals(8, NodeClock.after(5, 3));
    assertEquals(2, NodeClock.after(5, -3));
    assertEquals(5, NodeClock.after(5, 0));
    assertEquals(NodeClock.NEVER, NodeClock.after(Long.MAX_VALUE - 2, 3));
    assertEquals(NodeClock.NEVER - 1, NodeClock.after(Long.MAX_VALUE - 2, 1));
    assertEquals(Long.MIN_VALUE + 4, NodeClock.after(Long.MIN_VALUE, 4));
  }
}
