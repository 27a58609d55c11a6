package io.weir.testkit.mutants;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.seeds.Seeds;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClearedTest {
  @Test
  void eachPermitIsCreditedOnceByItsGiveBackOrByASuccessThatBeganAfterItsFailure() {
    Seeds.each(
        200,
        random -> {
          long seed = random.nextLong(1L << 40);
          assertEquals(List.of(), Cleared.run(seed), () -> "seed " + seed);
        });
  }
}
