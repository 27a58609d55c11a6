package io.weir.internal.inprocess;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.lincheck.Interleavings;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * A store with a single slot takes for two keys, after the bucket in it counts no more: buckets are
 * dropped and made again while others take from them.
 *
 * <p>One at a time it is a count for each key.
 */
class StoreLincheckTest {
  private static final long WINDOW = 60_000_000;
  private static final long MOMENT = 5_000;

  /** Of keys that fall into different groups. */
  private static final List<Claim> TAKES =
      Stream.of("key 0", "key 1").map(StoreLincheckTest::take).toList();

  private static Claim take(String key) {
    BucketSpec spec =
        BucketSpec.builder("test")
            .algorithm(Algorithm.FIXED_WINDOW)
            .window(Duration.ofMinutes(1))
            .build();
    return Claim.of(new BucketId(spec, Key.of(key)), 1, 1, 1);
  }

  /** The store, a window after the first key was counted. */
  @Param(name = "key", gen = IntGen.class, conf = "0:1")
  public static class Store {
    private final HandTicker ticker = new HandTicker();
    private final InProcessStore store = new InProcessStore(ticker, 1, 2);

    /** The hand has just gone round when the window passes. */
    public Store() {
      take(0);
      ticker.advance(WINDOW - MOMENT);
      take(0);
      ticker.advance(MOMENT);
    }

    @Operation
    public boolean take(@Param(name = "key") int key) {
      return store.executeNow(TAKES.get(key)).permits() == 1;
    }
  }

  /** The sequential specification. */
  public static class Model {
    private final Set<Integer> used = new HashSet<>();

    public boolean take(int key) {
      return used.add(key);
    }
  }

  @Test
  void takesAreAtomicAlsoWhileBucketsComeAndGo() {
    Interleavings.check(Store.class, Model.class);
  }
}
