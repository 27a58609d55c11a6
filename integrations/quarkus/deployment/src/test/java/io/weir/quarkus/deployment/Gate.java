package io.weir.quarkus.deployment;

import io.weir.Policy;
import io.weir.spi.CallerTier;
import io.weir.spi.RequestInfo;
import io.weir.spi.TierResolver;
import jakarta.inject.Singleton;
import java.util.concurrent.CountDownLatch;

/** Lets decisions about patient callers wait, as a slow database would. */
@Singleton
public class Gate implements TierResolver {
  static volatile CountDownLatch open = new CountDownLatch(0);
  static volatile CountDownLatch arrived = new CountDownLatch(1);

  /** The endpoint of the last decision. */
  static volatile String endpoint = "";

  @Override
  public CallerTier resolve(RequestInfo request, Policy policy) {
    endpoint = request.endpoint();
    if (!request.headers("X-Patient").isEmpty()) {
      arrived.countDown();
      try {
        open.await();
      } catch (InterruptedException ended) {
        Thread.currentThread().interrupt();
      }
    }
    return CallerTier.none();
  }
}
