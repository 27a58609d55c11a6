package io.weir.compat.jaxrs;

import io.weir.compat.jaxrs.server.Server;
import io.weir.compat.jaxrs.server.Setup;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;

/** Runs all tests of the JAX-RS adapter; a subclass chooses the server. */
public abstract class JaxrsSuite
    implements WindowTests,
        ModeTests,
        KeyTests,
        CallerTests,
        CountTests,
        BodyTests,
        BindingTests,
        PhaseTests,
        PolicySourceTests,
        CompletedTests,
        CostTests,
        WireTests,
        RefusalTests,
        SettingsTests,
        LateSettingsTests,
        StartUpTests,
        GarbageTests,
        PathTests,
        AttackTests {
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
