package io.weir.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.store.LeasingStore;
import java.lang.reflect.Proxy;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A store whose own library is incomplete; BareTest lacks the library for leases. */
class MissingClassTest {
  @Test
  void theClassThatIsMissingIsNamedAndTheStoreClosed() {
    AtomicBoolean closed = new AtomicBoolean();
    LeasingStore store =
        (LeasingStore)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {LeasingStore.class},
                (self, method, arguments) -> {
                  switch (method.getName()) {
                    case "close" -> closed.set(true);
                    case "algorithms" -> {
                      return EnumSet.allOf(Algorithm.class);
                    }
                    default -> throw new NoClassDefFoundError("com/example/Driver");
                  }
                  return null;
                });
    String message =
        assertThrows(
                IllegalArgumentException.class, () -> RateLimiter.builder().store(store).build())
            .getMessage();
    assertEquals(
        "the store can't be used, since a class is missing on the class path: com.example.Driver",
        message);
    assertTrue(closed.get());
  }
}
