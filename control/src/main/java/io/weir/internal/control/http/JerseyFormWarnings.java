package io.weir.internal.control.http;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Silences Jersey's warning about forms, which has the whole address of a request, with whatever
 * its query says: strangers could fill the log with it, and secrets would get there. A level that
 * somebody has set stays.
 */
public final class JerseyFormWarnings {
  // Kept, since the logging system forgets a logger that nobody holds, and its level.
  private static final Logger LOGGER =
      Logger.getLogger("org.glassfish.jersey.servlet.WebComponent");

  private JerseyFormWarnings() {}

  /** Has them logged no more; idempotent. */
  public static void silence() {
    if (LOGGER.getLevel() == null) {
      LOGGER.setLevel(Level.SEVERE);
    }
  }
}
