package io.weir.inprocess;

import io.weir.Key;
import io.weir.Shape;
import io.weir.annotation.Algorithm;
import io.weir.lincheck.Interleavings;
import io.weir.store.Bucket;
import io.weir.store.Claim;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * All interleavings of a few takes: of one bucket, of buckets that fight for the only place, while
 * time passes, so that buckets are dropped and made again.
 *
 * <p>One at a time it is a count for each key, all of which begin anew with each window.
 */
class StoreLincheckTest {
  private static final long WINDOW = 60_000_000;

  /** Made once: what is made within a scenario is watched, and costs. */
  private static final List<List<Claim>> TAKES =
      IntStream.range(0, 3).mapToObj(key -> List.of(takeOf("key " + key))).toList();

  private static Claim takeOf(String key) {
    Shape shape = new Shape("test", Algorithm.FIXED_WINDOW, Duration.ofMinutes(1), 0);
    return Claim.of(new Bucket(shape, Key.of(key)), 1, 2, 2);
  }

  /** The store with one place for three keys that fall into different groups. */
  @Param(name = "key", gen = IntGen.class, conf = "0:2")
  public static class Store {
    private final HandTicker ticker = new HandTicker();
    private final InProcessStore store = new InProcessStore(ticker, 1);

    @Operation
    public boolean take(@Param(name = "key") int key) {
      return store
              .settle(TAKES.get(key))
              .toCompletableFuture()
              .join()
              .get(0)
              .orElseThrow()
              .permits()
          == 1;
    }

    @Operation
    public void passWindow() {
      ticker.advance(WINDOW);
    }
  }

  /** What it should do. */
  public static class Model {
    private final Map<Integer, Integer> used = new HashMap<>();

    public boolean take(int key) {
      return used.merge(key, 1, Integer::sum) <= 2;
    }

    public void passWindow() {
      used.clear();
    }
  }

  @Test
  void takesAreAtomicAlsoWhileBucketsComeAndGo() {
    Interleavings.check(Store.class, Model.class);
  }
}
