package io.weir.control;

import io.weir.Weir;
import io.weir.rules.Rules;
import java.util.Map;

/** Tests that need an application with the control API. */
interface Serving {
  /** The application of this test. */
  ControlApp app();

  /** Another one with other settings. */
  default ControlApp app(Map<String, String> settings) {
    return new ControlApp(settings, this::start);
  }

  /** Starts a server with the API. */
  Server start(Weir weir, Rules rules);
}
