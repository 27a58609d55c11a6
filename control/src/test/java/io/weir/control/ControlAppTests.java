package io.weir.control;

import io.weir.Weir;
import io.weir.rules.Rules;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** Tests that need an application with the control API. */
interface ControlAppTests {
  /** Returns the application of this test. */
  ControlApp app();

  /** Starts another application with settings of its own; the test closes it. */
  default ControlApp app(Map<String, String> settings) {
    return new ControlApp(settings, Optional.empty(), database(), this::start);
  }

  /** Makes an empty database for the rules. */
  default DataSource database() {
    return ControlApp.h2();
  }

  /** Starts a server with the API. */
  Server start(Weir weir, Rules rules);
}
