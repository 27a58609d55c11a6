package io.weir.internal.cassandra;

import io.weir.compat.redis.Distance;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import io.weir.store.PermitStore;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** The contract of every store on a Cassandra that is so many milliseconds away and back. */
class DistantContractTest {
  /** A part of the contract each day. */
  @OneDayIn(2)
  @RunOneIn(12)
  abstract static class Away extends CassandraContractTest {
    private final Distance distance;

    Away(int millis) {
      distance = Servers.away(Duration.ofMillis(millis));
    }

    @Override
    protected PermitStore open() {
      return Servers.open(Servers.through(distance), Map.of(), clock());
    }

    @AfterEach
    void comeBack() {
      distance.close();
    }
  }

  @Nested
  class FiveMillis extends Away {
    FiveMillis() {
      super(5);
    }
  }

  @Nested
  class FiftyMillis extends Away {
    FiftyMillis() {
      super(50);
    }
  }
}
