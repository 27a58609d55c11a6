package io.weir.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.spi.RequestInfo;
import io.weir.testkit.FakeRequest;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Keeps the current request of a thread while requests are nested. */
class CurrentRequestTest {
  private final RequestInfo outer = FakeRequest.from("192.0.2.1");
  private final RequestInfo inner = FakeRequest.from("192.0.2.2");

  @AfterEach
  void clear() {
    CurrentRequest.clear();
  }

  @Test
  void restoringPutsTheOuterRequestBackWithItsCharge() throws NoSuchMethodException {
    Method method = String.class.getMethod("length");
    assertEquals(Optional.empty(), CurrentRequest.bind(outer, Optional.of(method)));
    Optional<CurrentRequest> former = CurrentRequest.bind(inner, Optional.empty());
    assertEquals(Optional.of(inner), CurrentRequest.get());
    assertFalse(CurrentRequest.takeCharge(method));
    CurrentRequest.restore(former);
    assertEquals(Optional.of(outer), CurrentRequest.get());
    assertTrue(CurrentRequest.takeCharge(method));
    assertFalse(CurrentRequest.takeCharge(method));
  }

  @Test
  void restoringNothingClears() {
    CurrentRequest.restore(CurrentRequest.bind(outer, Optional.empty()));
    assertEquals(Optional.empty(), CurrentRequest.get());
  }

  @Test
  void whoLeavesGivesTheThreadBackToWhomItBelonged() throws NoSuchMethodException {
    Method method = String.class.getMethod("length");
    CurrentRequest.enter(outer, Optional.of(method));
    CurrentRequest.enter(inner, Optional.empty());
    CurrentRequest.leave(outer); // not its turn
    assertEquals(Optional.of(inner), CurrentRequest.get());
    CurrentRequest.leave(inner);
    assertEquals(Optional.of(outer), CurrentRequest.get());
    assertTrue(CurrentRequest.takeCharge(method));
    CurrentRequest.leave(outer);
    CurrentRequest.leave(outer);
    assertEquals(Optional.empty(), CurrentRequest.get());
  }

  @Test
  void eachThreadIsGivenBackToItsOwn() throws InterruptedException {
    CurrentRequest.enter(outer, Optional.empty());
    CurrentRequest.enter(inner, Optional.empty());
    AtomicReference<Optional<RequestInfo>> left = new AtomicReference<>(Optional.empty());
    Thread other =
        new Thread(
            () -> {
              CurrentRequest.enter(inner, Optional.empty());
              CurrentRequest.leave(inner);
              left.set(CurrentRequest.get());
            });
    other.start();
    other.join();
    assertEquals(Optional.empty(), left.get());
    CurrentRequest.leave(inner);
    assertEquals(Optional.of(outer), CurrentRequest.get());
  }

  @Test
  void aChargeIsNotedForTheRequestOfTheThreadOnly() throws NoSuchMethodException {
    Method method = String.class.getMethod("length");
    CurrentRequest.enter(inner, Optional.empty());
    CurrentRequest.charge(outer, method);
    assertFalse(CurrentRequest.takeCharge(method));
    CurrentRequest.charge(inner, method);
    assertTrue(CurrentRequest.takeCharge(method));
  }
}
