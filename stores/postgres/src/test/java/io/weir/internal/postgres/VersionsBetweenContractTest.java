package io.weir.internal.postgres;

import io.weir.seeds.DeepOnly;
import org.junit.jupiter.api.Nested;

/** The versions between the oldest and the newest. */
@DeepOnly
class VersionsBetweenContractTest {
  @Nested
  class On15 extends ContractOnVersion {
    On15() {
      super(15);
    }
  }

  @Nested
  class On16 extends ContractOnVersion {
    On16() {
      super(16);
    }
  }

  @Nested
  class On17 extends ContractOnVersion {
    On17() {
      super(17);
    }
  }
}
