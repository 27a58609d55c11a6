package io.weir.internal.rules.request;

import io.weir.internal.module.Setting;
import io.weir.internal.module.SettingList;
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
  public static final String FREE = "free";

  public static final SettingList ALL = SettingList.ofModule();

  private static final Setting<String> CALLER = ALL.text("weir.rules.caller");
  private static final Setting<Boolean> PLAIN = ALL.flag("weir.rules.caller.plain", false);
  private static final Setting<String> DEFAULT_TIER =
      ALL.parsed("weir.rules.default-tier", FREE, text -> text.isEmpty() ? FREE : text);

  public static final CallerSettings DEFAULT = new CallerSettings("", false, FREE);

  public static CallerSettings of(SourceContext application) {
    return new CallerSettings(
        CALLER.read(application::setting),
        PLAIN.read(application::setting),
        DEFAULT_TIER.read(application::setting));
  }
}
