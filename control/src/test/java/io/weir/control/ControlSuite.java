package io.weir.control;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.jspecify.annotations.Nullable;

/** All tests of the API, for each server that runs it. */
abstract class ControlSuite implements DecideTests, BodyTests, AccessTests, ForwardTests, OpenApiTests {
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
