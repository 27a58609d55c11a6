package io.weir.internal.writeback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.Key;
import io.weir.Policy;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.BucketId;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The parts of one request are answered together, by the first answer of each. */
class AcquisitionTest {
  private static final Policy POLICY =
      Policy.builder("p").limit(10).window(Duration.ofMinutes(1)).build();
  private static final BucketRequest REQUEST =
      new BucketRequest(
          new RequestTerms(POLICY, 1, 10, 10, 10, 0),
          new BucketId(POLICY.spec(), Key.of("k")),
          false);

  private static Optional<Grant> grant(long stamp) {
    return Optional.of(Grant.builder().granted(1, stamp, 0).build());
  }

  @Test
  void isDoneWhenTheLastIsAnswered() {
    Acquisition acquisition = new Acquisition(Collections.nCopies(2, REQUEST), null);
    acquisition.answer(1, grant(1));
    assertFalse(acquisition.result().isDone());
    acquisition.answer(0, Optional.empty());
    assertEquals(List.of(Optional.empty(), grant(1)), acquisition.result().getNow(List.of()));
    assertThrows(UnsupportedOperationException.class, () -> acquisition.result().join().clear());
  }

  @Test
  void whatWasDecidedBeforeTheLastAnswerIsNotDecidedAnew() {
    Acquisition acquisition = new Acquisition(Collections.nCopies(3, REQUEST), null);
    acquisition.answer(0, grant(0));
    acquisition.answer(1, grant(1));
    acquisition.answer(2, grant(2));
    assertEquals(List.of(grant(0), grant(1), grant(2)), acquisition.result().getNow(List.of()));
  }
}
