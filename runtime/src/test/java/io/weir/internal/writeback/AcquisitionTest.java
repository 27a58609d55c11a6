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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The parts of one request are answered together, by permits of which none has ended by then. */
class AcquisitionTest {
  private static final long END = 1_000;
  private static final Policy POLICY =
      Policy.builder("p").limit(10).window(Duration.ofMinutes(1)).build();
  private static final BucketRequest REQUEST =
      new BucketRequest(
          new RequestTerms(POLICY, 1, 10, 10, 10, 0),
          new BucketId(POLICY.spec(), Key.of("k")),
          false);

  private final Clerk clerk = new Clerk();

  /** Answers anew with permits that have ended again, so many times. */
  private static final class Clerk implements Acquisition.Renewer {
    final List<Integer> again = new ArrayList<>();
    long now;
    int vain;

    @Override
    public long now() {
      return now;
    }

    @Override
    public void renew(Acquisition acquisition, int index, Grant ended) {
      again.add(index);
      assertEquals(grant(index), Optional.of(ended));
      acquisition.answer(index, grant(index), again.size() <= vain ? now : END * 2);
    }
  }

  private static Optional<Grant> grant(long stamp) {
    return Optional.of(Grant.builder().granted(1, stamp, 0).build());
  }

  private Acquisition acquisition(int requests) {
    return new Acquisition(Collections.nCopies(requests, REQUEST), clerk, null);
  }

  @Test
  void isDoneWhenTheLastIsAnswered() {
    Acquisition acquisition = acquisition(2);
    acquisition.answer(1, grant(1), END);
    assertFalse(acquisition.result().isDone());
    acquisition.answer(0, Optional.empty());
    assertEquals(List.of(Optional.empty(), grant(1)), acquisition.result().getNow(List.of()));
    assertThrows(UnsupportedOperationException.class, () -> acquisition.result().join().clear());
  }

  @Test
  void whatHasEndedWhileAnotherWaitedIsTakenAnew() {
    Acquisition acquisition = acquisition(3);
    acquisition.answer(0, grant(0), END);
    acquisition.answer(1, grant(1), END + 1);
    clerk.now = END;
    acquisition.answer(2, grant(2), END);
    assertEquals(List.of(0, 2), clerk.again);
    assertEquals(List.of(grant(0), grant(1), grant(2)), acquisition.result().getNow(List.of()));
  }

  @Test
  void aWishThatIsAloneHasWaitedForNoOther() {
    Acquisition acquisition = acquisition(1);
    clerk.now = END;
    acquisition.answer(0, grant(0), END);
    assertEquals(List.of(grant(0)), acquisition.result().getNow(List.of()));
    assertEquals(List.of(), clerk.again);
  }

  @Test
  void givesUpAfterSixRoundsAndAnswersWhatHasEndedWithNothing() {
    Acquisition acquisition = acquisition(2);
    clerk.now = END;
    clerk.vain = 6;
    acquisition.answer(0, grant(0), END * 2);
    acquisition.answer(1, grant(1), END);
    assertEquals(6, clerk.again.size());
    assertEquals(List.of(grant(0), Optional.empty()), acquisition.result().getNow(List.of()));
  }

  @Test
  void theSixthRoundStillCounts() {
    Acquisition acquisition = acquisition(2);
    clerk.now = END;
    clerk.vain = 5;
    acquisition.answer(0, grant(0), END * 2);
    acquisition.answer(1, grant(1), END);
    assertEquals(List.of(grant(0), grant(1)), acquisition.result().getNow(List.of()));
  }
}
