package io.weir.internal.inprocess;

import io.weir.Key;
import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.internal.permits.RequestTerms;
import io.weir.lincheck.Interleavings;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * An allowance that requests take from without a lock, while the lock's owner closes it.
 *
 * <p>One at a time it is a count that ends when it is closed; what was taken until then is charged.
 */
class LockFreeAllowanceLincheckTest {
  private static final long LIMIT = 3;
  private static final Key KEY = Key.of("caller");
  private static final Policy POLICY =
      Policy.builder("p")
          .limit(LIMIT)
          .window(Duration.ofMinutes(1))
          .algorithm(Algorithm.FIXED_WINDOW)
          .build();
  private static final RequestTerms OFFER = new RequestTerms(POLICY, 1, LIMIT, LIMIT, LIMIT, 0);
  private static final BucketId BUCKET = new BucketId(POLICY.spec(), KEY);
  private static final Claim CLAIM = Claim.of(BUCKET, 1, LIMIT, LIMIT);
  private static final Grant GRANT = Grant.builder().granted(1, 1, 1_000).left(LIMIT - 1).build();

  /** The allowance. */
  public static class Used {
    private final LockFreeAllowance allowance = new LockFreeAllowance(CLAIM, GRANT, 0, 1_000);

    @Operation
    public boolean request() {
      return allowance.decide(OFFER, KEY, 0) != null;
    }

    @Operation(runOnce = true)
    public long close() {
      return allowance.close(BUCKET).debt();
    }
  }

  /** The sequential specification. */
  public static class Model {
    private long taken;
    private boolean closed;

    public boolean request() {
      boolean admits = !closed && taken < LIMIT - 1;
      taken += admits ? 1 : 0;
      return admits;
    }

    public long close() {
      closed = true;
      return taken;
    }
  }

  @Test
  void whatIsTakenIsChargedAndNothingIsTakenOnceItIsClosed() {
    Interleavings.check(Used.class, Model.class);
  }
}
