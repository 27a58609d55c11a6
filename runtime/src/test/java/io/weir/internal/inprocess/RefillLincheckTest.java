package io.weir.internal.inprocess;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.lincheck.Interleavings;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * A bucket with a refill is taken from while time passes, half a window at a time.
 *
 * <p>One at a time it is what was used, and the time of the next refill; a refusal moves that if
 * the bucket is strict.
 */
class RefillLincheckTest {
  private static final long LIMIT = 2;
  private static final int STEP = 2; // a window, in halves of one
  private static final Duration WINDOW = Duration.ofMinutes(1);

  private static Claim take(boolean strict) {
    BucketSpec spec =
        BucketSpec.builder("test")
            .algorithm(Algorithm.TOKEN_BUCKET)
            .window(WINDOW)
            .refill(true)
            .strict(strict)
            .build();
    return Claim.of(new BucketId(spec, Key.of("caller")), 1, 1, LIMIT);
  }

  /** A store in this process, and its clock; an empty bucket, half a window before its refill. */
  abstract static class Bucket {
    private final HandTicker ticker = new HandTicker();
    private final InProcessStore store = new InProcessStore(ticker, 1, 2);
    private final Claim claim;

    Bucket(boolean strict) {
      claim = RefillLincheckTest.take(strict);
      for (int i = 0; i < LIMIT; i++) {
        store.executeNow(claim);
      }
      pass();
    }

    @Operation
    public boolean take() {
      return store.executeNow(claim).permits() == 1;
    }

    @Operation
    public final void pass() {
      ticker.advance(WINDOW.toNanos() / 1_000 / STEP);
    }
  }

  /** A caller that keeps trying loses nothing. */
  public static class Lenient extends Bucket {
    public Lenient() {
      super(false);
    }
  }

  /** A caller that keeps trying waits longer. */
  public static class Strict extends Bucket {
    public Strict() {
      super(true);
    }
  }

  /** The sequential specification. */
  abstract static class Model {
    private final boolean strict;
    private long used = LIMIT;
    private long refillsAt = STEP;
    private long now = 1;

    Model(boolean strict) {
      this.strict = strict;
    }

    public boolean take() {
      while (used > 0 && now >= refillsAt) {
        used--;
        refillsAt += STEP;
      }
      boolean admits = used < LIMIT;
      if (admits && used == 0 || !admits && strict) {
        refillsAt = now + STEP;
      }
      used += admits ? 1 : 0;
      return admits;
    }

    public void pass() {
      now++;
    }
  }

  /** The sequential specification of a bucket that isn't strict. */
  public static class LenientModel extends Model {
    public LenientModel() {
      super(false);
    }
  }

  /** The sequential specification of a strict bucket. */
  public static class StrictModel extends Model {
    public StrictModel() {
      super(true);
    }
  }

  @Test
  void takesAndRefillsAreAtomic() {
    Interleavings.check(Lenient.class, LenientModel.class);
  }

  @Test
  void takesRefusalsAndRefillsAreAtomic() {
    Interleavings.check(Strict.class, StrictModel.class);
  }
}
