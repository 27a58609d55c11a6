package io.weir.internal.control.console;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the field {@code Accept-Encoding}. */
final class AcceptedEncodings {
  private static final String GZIP = "gzip";

  private AcceptedEncodings() {}

  /**
   * Returns false unless the field, null if it is missing, names gzip, or {@code *} without gzip,
   * with a quality above 0.
   */
  static boolean includeGzip(@Nullable String field) {
    boolean isAny = false;
    for (String each : field == null ? new String[0] : field.toLowerCase(Locale.ROOT).split(",")) {
      String[] parts = each.split(";", 2);
      boolean isTaken = parts.length < 2 || !parts[1].strip().matches("q\\s*=\\s*0(\\.0*)?");
      if (parts[0].strip().equals(GZIP)) {
        return isTaken;
      }
      isAny |= parts[0].strip().equals("*") && isTaken;
    }
    return isAny;
  }
}
