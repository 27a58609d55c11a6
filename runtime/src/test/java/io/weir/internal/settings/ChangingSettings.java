package io.weir.internal.settings;

import java.util.Map;

/** Settings over a map that a test changes; each refresh reads it again. */
public final class ChangingSettings {
  private ChangingSettings() {}

  public static LiveSettings over(Map<String, String> values) {
    return new LiveSettings(() -> SettingsSnapshot.of(values));
  }
}
