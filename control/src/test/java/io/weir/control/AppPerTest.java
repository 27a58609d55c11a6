package io.weir.control;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Starts an application for each test. */
abstract class AppPerTest implements ControlAppTests {
  private @Nullable ControlApp app;

  @BeforeEach
  void begin() {
    app = app(Map.of());
  }

  @AfterEach
  void end() {
    app().close();
  }

  @Override
  public ControlApp app() {
    if (app == null) {
      throw new IllegalStateException("no application has been started");
    }
    return app;
  }
}
