package io.weir.internal.writeback;

import io.weir.lincheck.Interleavings;
import io.weir.store.Grant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * A request of two policies that are answered by two threads, one of them once more since what it
 * got had ended.
 *
 * <p>One at a time it goes on with the last answer, and that is asserted: once, with all of them.
 */
class AcquisitionLincheckTest {
  private static final long ENDED = Still.NOW;
  private static final Optional<Grant> ONE = Optional.of(Grant.builder().granted(1, 1, 1).build());
  private static final Optional<Grant> OTHER =
      Optional.of(Grant.builder().granted(2, 1, 1).build());
  private static final Optional<Grant> ANEW = Optional.of(Grant.builder().granted(3, 1, 1).build());

  /** The request. */
  public static class Used implements Acquisition.Renewer {
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger anew = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final Acquisition acquisition =
        new Acquisition(List.of(Still.REQUEST, Still.REQUEST), this, null);

    public Used() {
      acquisition.result().thenRun(done::incrementAndGet);
    }

    @Override
    public long now() {
      return Still.NOW;
    }

    @Override
    public void renew(Acquisition request, int index, Grant ended) {
      anew.incrementAndGet();
      request.answer(index, ANEW);
    }

    @Operation(runOnce = true)
    public void answerOne() {
      answered.incrementAndGet();
      acquisition.answer(0, ONE);
    }

    @Operation(runOnce = true)
    public void answerOther() {
      answered.incrementAndGet();
      acquisition.answer(1, OTHER, ENDED);
    }

    @Validate
    public void goesOnOnceWithAll() {
      int times = answered.get() == 2 ? 1 : 0;
      List<Optional<Grant>> all = acquisition.result().getNow(List.of());
      boolean right = times == 0 ? all.isEmpty() : all.equals(List.of(ONE, ANEW));
      if (done.get() != times || anew.get() != times || !right) {
        throw new IllegalStateException("went on " + done + " times, with " + all);
      }
    }
  }

  @Test
  void goesOnOnceWithAllAnswers() {
    Interleavings.check(Used.class);
  }
}
