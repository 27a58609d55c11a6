package io.weir.inprocess;

import io.weir.Key;
import io.weir.Offer;
import io.weir.Policy;
import io.weir.algorithm.BucketState;
import io.weir.annotation.Algorithm;
import io.weir.lincheck.Interleavings;
import io.weir.store.Bucket;
import io.weir.store.Claim;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * A cell that has opened a till for those who come without its lock, while others take under it and
 * a window passes.
 *
 * <p>One at a time it is a count that begins anew with each window.
 */
class TillLincheckTest {
  private static final long WINDOW = 60_000_000;
  private static final long LIMIT = 4;
  private static final Key KEY = Key.of("caller");
  private static final Policy POLICY =
      Policy.builder("p")
          .limit(LIMIT)
          .window(Duration.ofNanos(WINDOW * 1_000))
          .algorithm(Algorithm.FIXED_WINDOW)
          .build();
  private static final Offer OFFER = new Offer(POLICY, 1, LIMIT, LIMIT, LIMIT, 0);
  private static final Claim CLAIM = Claim.of(new Bucket(POLICY.shape(), KEY), 1, LIMIT, LIMIT);

  /** The cell, of which two have been taken already, so that there is a till. */
  public static class Used {
    private final Cell cell = new Cell(BucketState.of(POLICY.shape(), 0));
    private final AtomicLong now = new AtomicLong();

    public Used() {
      claim();
      claim();
    }

    /** As a request does it: without the lock, or else with it. */
    @Operation
    public boolean request() {
      return cell.decide(OFFER, KEY, now.get()) != null || claim();
    }

    @Operation
    public boolean claim() {
      return cell.step(CLAIM, now.get()).permits() == 1;
    }

    @Operation
    public void passWindow() {
      now.addAndGet(WINDOW);
    }
  }

  /** What it should do. */
  public static class Model {
    private long used = 2;

    public boolean request() {
      return claim();
    }

    public boolean claim() {
      return ++used <= LIMIT;
    }

    public void passWindow() {
      used = 0;
    }
  }

  @Test
  void allTogetherAdmitTheLimitAndNoMore() {
    Interleavings.check(Used.class, Model.class);
  }
}
