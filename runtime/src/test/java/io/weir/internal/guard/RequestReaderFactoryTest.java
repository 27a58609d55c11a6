package io.weir.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.annotation.By;
import io.weir.internal.key.BodyUse;
import io.weir.internal.key.ClientAddress;
import io.weir.internal.settings.SettingsSnapshot;
import io.weir.spi.RequestCondition;
import io.weir.spi.RequestInfo;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests whether the reader of a policy knows that it reads the body. */
class RequestReaderFactoryTest {
  private final RequestReaderFactory readers =
      new RequestReaderFactory(
          Map.of(),
          Map.of(),
          Map.of("ofBody", new OfBody()),
          () -> new ClientAddress(SettingsSnapshot.of(Map.of())));

  private static PolicyBuilder policy() {
    return Policy.builder("policy").limit(5).window(Duration.ofMinutes(1));
  }

  @Test
  void aPolicySaysWhichFormatsOfABodyItReads() {
    assertEquals(BodyUse.ANY, body(policy().by(By.KEY).keys("lower:form:user|json:/user")));
    assertEquals(new BodyUse(true, false), body(policy().by(By.KEY).keys("shard:4:form:user")));
    assertEquals(new BodyUse(false, true), body(policy().costFrom("json:/amount")));
    assertEquals(BodyUse.ANY, body(policy().when("ofBody")));
    assertEquals(BodyUse.NONE, body(policy().by(By.KEY).keys("query:user")));
  }

  private BodyUse body(PolicyBuilder policy) {
    return readers.of(policy.build()).body();
  }

  private static final class OfBody implements RequestCondition {
    @Override
    public boolean test(RequestInfo request) {
      return true;
    }

    @Override
    public boolean needsBody() {
      return true;
    }
  }
}
