package io.weir.internal.writeback.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.internal.permits.StoreListener;
import io.weir.internal.writeback.Bench;
import org.junit.jupiter.api.Test;

class SafeStoreListenerTest {
  @Test
  void aBrokenListenerLosesNothing() {
    SafeStoreListener listener =
        new SafeStoreListener(
            new StoreListener() {
              @Override
              public void storeExecuted(int claims, long nanos) {
                throw new IllegalStateException("executed");
              }

              @Override
              public void failed(Throwable cause) {
                throw new IllegalStateException("failed");
              }

              @Override
              public void answered() {
                throw new NoClassDefFoundError("answered");
              }
            });
    listener.storeExecuted(1, 1);
    listener.failed(new IllegalStateException());
    listener.answered();
    Bench.Told told = new Bench.Told();
    new SafeStoreListener(told).answered();
    assertEquals(1, told.answers);
  }
}
