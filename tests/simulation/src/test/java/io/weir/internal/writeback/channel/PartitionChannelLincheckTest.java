package io.weir.internal.writeback.channel;

import io.weir.internal.writeback.HandTimers;
import io.weir.internal.writeback.Still;
import io.weir.internal.writeback.ToldStore;
import io.weir.lincheck.Interleavings;
import io.weir.seeds.OneDayIn;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Claims queue at a channel, and its batches are answered, overdue, or both at the same time.
 *
 * <p>One at a time it is a queue that is sent as soon as it may; what is asserted of it is that
 * each claim departs once, hears once what came of it, and that the channel is at rest when all
 * have.
 */
@OneDayIn(2)
class PartitionChannelLincheckTest {
  private static final long FLUSH = 100_000;
  private static final Claim CLAIM = Still.REQUEST.claim();

  /** A channel whose epoch is known. */
  public static class Used {
    private final HandTimers alarms = new HandTimers();
    private final ToldStore store = new ToldStore();
    private final PartitionChannel channel =
        new PartitionChannel(
            0,
            store,
            Still.CLOCK,
            Still.TIMEOUT,
            FLUSH,
            alarms.scheduler(),
            HandTimers.NOBODY,
            (lost, queue) -> {
              throw new IllegalStateException("nothing was lost");
            });
    private final AtomicInteger queued = new AtomicInteger();
    private final AtomicInteger departed = new AtomicInteger();
    private final AtomicInteger heard = new AtomicInteger();
    private final AtomicInteger late = new AtomicInteger();
    private final AtomicInteger overdue = new AtomicInteger();

    public Used() {
      channel.epochs().ask();
      store.answer();
      alarms.ring(); // too late
      ask();
    }

    @Operation
    public void ask() {
      queued.incrementAndGet();
      channel.enqueue(new One());
      channel.pump();
    }

    @Operation
    public void answer() {
      store.answer();
    }

    @Operation(runOnce = true)
    public void timeOut() {
      alarms.ring();
    }

    @Validate
    public void eachDepartsAndHearsOnceAndThenTheLaneRests() {
      if (queued.get() <= 2 && departed.get() != queued.get()) {
        throw new IllegalStateException("a claim waits, and no thread is to send it");
      }
      while (store.answer()) {
        // Until all are.
      }
      boolean all = departed.get() == queued.get() && heard.get() == queued.get();
      if (!all || late.get() != overdue.get() || !channel.end().isDone()) {
        throw new IllegalStateException(
            queued + " queued, " + departed + ", " + heard + ", " + overdue + ", " + late);
      }
    }

    /** Has one claim to make. */
    private final class One implements ClaimSource, SentClaim {
      @Override
      public SentClaim nextClaim(long now, AfterUnlock after) {
        departed.incrementAndGet();
        return this;
      }

      @Override
      public void storeUnavailable(AfterUnlock after) {
        throw new IllegalStateException("the store was never away");
      }

      @Override
      public Claim claim() {
        return CLAIM;
      }

      @Override
      public @Nullable ClaimSource answered(
          Grant grant, SentBatch batch, boolean late, AfterUnlock after) {
        (late ? Used.this.late : heard).incrementAndGet();
        return null;
      }

      @Override
      public @Nullable ClaimSource namedOtherWindow(
          SentBatch batch, boolean late, AfterUnlock after) {
        throw new IllegalStateException("no claim names a window");
      }

      @Override
      public @Nullable ClaimSource unanswered(SentBatch batch, AfterUnlock after) {
        overdue.incrementAndGet();
        heard.incrementAndGet();
        return null;
      }
    }
  }

  @Test
  void nobodyWaitsForEverAndNobodyIsSentOrAnsweredTwice() {
    Interleavings.checkLarge(Used.class);
  }
}
