package io.weir.servlet;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import jakarta.servlet.AsyncListener;
import org.junit.jupiter.api.Test;

class AsyncCompletionTest {
  /** As WildFly makes components of all listeners of this kind, and warns if it can't. */
  @Test
  void aContainerCanMakeOne() throws Exception {
    AsyncListener made = AsyncCompletion.class.getConstructor().newInstance();
    assertDoesNotThrow(() -> made.onComplete(null));
    assertDoesNotThrow(() -> made.onError(null));
  }
}
