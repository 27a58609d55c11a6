package io.weir.inprocess;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.annotation.Algorithm;
import java.util.HashMap;
import java.util.Map;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * All interleavings of a few takes: of one bucket, of buckets that fight for the only place, while
 * time passes, so that buckets are dropped and made again.
 */
class StoreLincheckTest {
  private static final long WINDOW = 60_000_000;

  /** The store with one place for three keys that fall into different groups. */
  @Param(name = "key", gen = IntGen.class, conf = "0:2")
  public static class Store {
    private final HandTicker ticker = new HandTicker();
    private final Asking asking =
        Asking.of(new InProcessStore(ticker, 1), Algorithm.FIXED_WINDOW, WINDOW, 2);

    @Operation
    public boolean take(@Param(name = "key") int key) {
      return asking.take("key " + key);
    }

    @Operation
    public void passWindow() {
      ticker.advance(WINDOW);
    }
  }

  /** What it should do: count for each key. */
  public static class Model {
    private final Map<Integer, Integer> used = new HashMap<>();

    public boolean take(int key) {
      return used.merge(key, 1, Integer::sum) <= 2;
    }

    public void passWindow() {
      used.clear();
    }
  }

  /** A counter that everybody knows to be wrong. */
  public static class RacyCounter {
    private int used;

    @Operation
    public boolean take() {
      int before = used;
      if (before >= 2) {
        return false;
      }
      used = before + 1;
      return true;
    }
  }

  @Test
  void takesAreAtomicAlsoWhileBucketsComeAndGo() {
    options().sequentialSpecification(Model.class).check(Store.class);
  }

  @Test
  void theCanaryDies() {
    assertThrows(LincheckAssertionError.class, () -> options().check(RacyCounter.class));
  }

  private static ModelCheckingOptions options() {
    return new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(1)
        .iterations(5)
        .invocationsPerIteration(150);
  }
}
