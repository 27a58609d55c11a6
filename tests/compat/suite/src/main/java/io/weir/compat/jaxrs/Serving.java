package io.weir.compat.jaxrs;

import io.weir.compat.jaxrs.server.Setup;

/** Serves an application on the container under test. */
public interface Serving {
  /** Starts to build an application, which is stopped after the test. */
  Setup serving(Class<?>... classes);
}
