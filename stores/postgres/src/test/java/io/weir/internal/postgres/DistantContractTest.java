package io.weir.internal.postgres;

import io.weir.compat.postgres.PostgresServer;
import io.weir.compat.redis.Distance;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** The contract of every store on a PostgreSQL that is so many milliseconds away and back. */
class DistantContractTest {
  /** A part of the contract each day. */
  @OneDayIn(2)
  @RunOneIn(12)
  abstract static class Away extends PostgresContractTest {
    private final Distance distance;

    Away(int millis) {
      distance = new Distance(PostgresServer.shared().port(), Duration.ofMillis(millis));
    }

    @Override
    String url() {
      return Databases.through(distance.port());
    }

    @AfterEach
    void comeBack() {
      distance.close();
    }
  }

  @Nested
  class TwoMillis extends Away {
    TwoMillis() {
      super(2);
    }
  }

  @Nested
  class FiveMillis extends Away {
    FiveMillis() {
      super(5);
    }
  }

  @Nested
  class TwentyMillis extends Away {
    TwentyMillis() {
      super(20);
    }
  }

  @Nested
  class FiftyMillis extends Away {
    FiftyMillis() {
      super(50);
    }
  }
}
