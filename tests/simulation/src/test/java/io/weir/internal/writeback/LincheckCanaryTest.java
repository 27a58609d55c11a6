package io.weir.internal.writeback;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.lincheck.Interleavings;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Plainly wrong structures, which must be found out with the settings of all tests like this: a
 * tool that has come to try nothing would pass everything else.
 */
class LincheckCanaryTest {
  /** A lease that looks first and then sets, as if no other thread could come in between. */
  public static class RacyLease {
    private volatile long permits = 5;
    private volatile boolean sealed;

    @Operation
    public boolean spendTwo() {
      long held = permits;
      if (sealed || held < 2) {
        return false;
      }
      permits = held - 2;
      return true;
    }

    @Operation
    public long seal() {
      sealed = true;
      long last = permits;
      permits = 0;
      return last;
    }
  }

  /** The sequential specification of such a lease. */
  public static class Model {
    private long permits = 5;

    public boolean spendTwo() {
      boolean spends = permits >= 2;
      permits -= spends ? 2 : 0;
      return spends;
    }

    public long seal() {
      long last = permits;
      permits = 0;
      return last;
    }
  }

  /** Work of which two threads may both do the same piece. */
  public static class RacyWork {
    private static final int PIECES = 5;

    private final AtomicInteger open = new AtomicInteger(PIECES);
    private final AtomicInteger done = new AtomicInteger();

    @Operation
    public void work() {
      int next = open.get();
      if (next > 0) {
        open.set(next - 1);
        done.incrementAndGet();
      }
    }

    @Validate
    public void eachPieceIsDoneOnce() {
      if (open.get() + done.get() != PIECES) {
        throw new IllegalStateException(open + " open, " + done + " done");
      }
    }
  }

  private static void assertFoundOut(String how, Executable check) {
    String told = assertThrows(LincheckAssertionError.class, check).getMessage();
    assertTrue(told.contains(how), told);
  }

  @Test
  void aBrokenLeaseIsFoundOutByItsAnswers() {
    assertFoundOut(
        "Invalid execution results", () -> Interleavings.check(RacyLease.class, Model.class));
  }

  @Test
  void workThatIsDoneTwiceIsFoundOutAtTheEnd() {
    assertFoundOut("eachPieceIsDoneOnce has failed", () -> Interleavings.check(RacyWork.class));
  }
}
