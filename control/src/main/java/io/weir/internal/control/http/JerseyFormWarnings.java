package io.weir.internal.control.http;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Silences Jersey's warning about forms, which logs the whole address of a request with its query:
 * strangers could fill the log, and secrets would end up there. Leaves a level that has been set.
 */
public final class JerseyFormWarnings {
  // Held, since the logging system drops unreferenced loggers together with their levels.
  private static final Logger LOGGER =
      Logger.getLogger("org.glassfish.jersey.servlet.WebComponent");

  private JerseyFormWarnings() {}

  /** Silences the warning; idempotent. */
  public static void silence() {
    if (LOGGER.getLevel() == null) {
      LOGGER.setLevel(Level.SEVERE);
    }
  }
}
