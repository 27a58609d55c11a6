package io.weir.quarkus.grpc;

import io.quarkus.runtime.BlockingOperationControl;
import io.weir.Policy;
import io.weir.spi.CallerTier;
import io.weir.spi.RequestInfo;
import io.weir.spi.TierResolver;
import jakarta.inject.Singleton;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets each decision take its time, until the gate is open. */
@Singleton
public class Patience implements TierResolver {
  static final Queue<String> IN_EVENT_LOOPS = new ConcurrentLinkedQueue<>();
  static volatile CountDownLatch gate = new CountDownLatch(0);

  @Override
  public CallerTier resolve(RequestInfo request, Policy policy) {
    if (!BlockingOperationControl.isBlockingAllowed()) {
      IN_EVENT_LOOPS.add(Thread.currentThread().getName());
    }
    try {
      if (!gate.await(1, TimeUnit.MINUTES)) {
        throw new IllegalStateException("the gate was never opened");
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
    return CallerTier.none();
  }
}
