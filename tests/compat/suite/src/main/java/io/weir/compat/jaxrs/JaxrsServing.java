package io.weir.compat.jaxrs;

import io.weir.compat.jaxrs.server.Server;
import io.weir.compat.jaxrs.server.Setup;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** Serves the applications of a suite on the server that a subclass chooses. */
@ExtendWith(ListedTests.class)
public abstract class JaxrsServing implements Serving {
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  /**
   * Starts a server on an ephemeral port of loopback.
   *
   * @param classes resources and providers
   * @param instances instances of resources and providers
   * @return the running server
   * @throws Exception if the application is refused
   */
  protected abstract Server start(Set<Class<?>> classes, Set<Object> instances) throws Exception;

  /**
   * Returns whether the server runs Jersey. Tests marked by {@link JerseyOnly} are left out if not.
   *
   * @return true unless overridden
   */
  protected boolean runsJersey() {
    return true;
  }

  /**
   * Names the tests that can't pass here. Each must really fail, so that the list stays true.
   *
   * @return the reason by the name of the method; empty unless overridden
   */
  protected Map<String, String> impossible() {
    return Map.of();
  }

  /**
   * Names the tests that must not even be tried here, since they would end the JVM.
   *
   * @return the reason by the name of the method; empty unless overridden
   */
  protected Map<String, String> harmful() {
    return Map.of();
  }

  @Override
  public final Setup serving(Class<?>... classes) {
    return new Setup(this::start, open::push, List.of(classes));
  }

  @AfterEach
  final void stop() throws Exception {
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }
}
