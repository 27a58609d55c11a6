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
 * A request of two policies that are answered by two threads: it goes on once, with both answers.
 */
class AcquisitionLincheckTest {
  private static final Optional<Grant> ONE = Optional.of(Grant.builder().granted(1, 1, 1).build());
  private static final Optional<Grant> OTHER =
      Optional.of(Grant.builder().granted(2, 1, 1).build());

  /** The request. */
  public static class Used {
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final Acquisition acquisition =
        new Acquisition(List.of(Still.REQUEST, Still.REQUEST), null);

    public Used() {
      acquisition.result().thenRun(done::incrementAndGet);
    }

    @Operation(runOnce = true)
    public void answerOne() {
      answered.incrementAndGet();
      acquisition.answer(0, ONE);
    }

    @Operation(runOnce = true)
    public void answerOther() {
      answered.incrementAndGet();
      acquisition.answer(1, OTHER);
    }

    @Validate
    public void goesOnOnceWithAll() {
      int times = answered.get() == 2 ? 1 : 0;
      List<Optional<Grant>> all = acquisition.result().getNow(List.of());
      boolean right = times == 0 ? all.isEmpty() : all.equals(List.of(ONE, OTHER));
      if (done.get() != times || !right) {
        throw new IllegalStateException("went on " + done + " times, with " + all);
      }
    }
  }

  @Test
  void goesOnOnceWithAllAnswers() {
    Interleavings.check(Used.class);
  }
}
