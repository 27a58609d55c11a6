package io.weir.internal.rules.request;

import io.weir.spi.SourceContext;

/**
 * The settings by which callers are identified.
 *
 * @param caller the key expression that identifies callers without a user; empty if there is none
 * @param isPlain whether rows are found by the keys themselves, and not by their digests; then
 *     principals have no rows
 * @param defaultTier the tier of callers that have no other
 */
public record CallerSettings(String caller, boolean isPlain, String defaultTier) {
  /** The tier of callers that have no other, unless set. */
  public static final String FREE = "free";

  /** The defaults. */
  public static final CallerSettings DEFAULT = new CallerSettings("", false, FREE);

  /**
   * Reads the settings of an application.
   *
   * @param application the application
   * @return the settings
   */
  public static CallerSettings of(SourceContext application) {
    String tier = application.setting("weir.rules.default-tier");
    return new CallerSettings(
        application.setting("weir.rules.caller"),
        application.setting("weir.rules.caller.plain").equals("true"),
        tier.isEmpty() ? FREE : tier);
  }
}
