package io.weir.internal.writeback.channel;

import io.weir.internal.clock.ExtendableTimeout;
import io.weir.lincheck.Interleavings;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * A caller that is woken to send knows it, however the waking and its leaving meet: otherwise what
 * is queued would wait for a thread that has gone.
 */
class WaitingThreadsLincheckTest {
  /** One caller, which comes and goes, and another that wakes it. */
  public static class Used {
    private final WaitingThreads callers = new WaitingThreads();
    private final WaitingThread caller = new WaitingThread(new ExtendableTimeout(() -> 0, 1), 0);
    private final AtomicInteger woken = new AtomicInteger();
    private final AtomicInteger known = new AtomicInteger();

    @Operation(nonParallelGroup = "caller")
    public void comesAndGoes() {
      int place = callers.add(caller);
      if (!callers.remove(caller, place)) {
        known.incrementAndGet();
      }
    }

    @Operation
    public void wakeOne() {
      if (callers.wakeOne()) {
        woken.incrementAndGet();
      }
    }

    @Validate
    public void everyWakingIsKnown() {
      if (woken.get() != known.get()) {
        throw new IllegalStateException(woken + " woken, " + known + " of them know it");
      }
    }
  }

  @Test
  void whoIsWokenKnowsIt() {
    Interleavings.check(Used.class);
  }
}
