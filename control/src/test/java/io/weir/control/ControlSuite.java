package io.weir.control;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** All tests of the API, for each server that runs it. */
abstract class ControlSuite
    implements DecideTests,
        BodyTests,
        AccessTests,
        ForwardTests,
        OpenApiTests,
        AdminTests,
        UserTests,
        CallerTests,
        DashboardTests,
        EventTests {
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
