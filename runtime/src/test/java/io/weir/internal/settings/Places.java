package io.weir.internal.settings;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** All places that settings come from, as maps that a test changes. */
final class Places {
  final Map<String, String> classPath = new HashMap<>();
  final Map<String, String> environment = new HashMap<>();
  final Map<String, String> properties = new HashMap<>();
  final Map<String, String> microProfile = new HashMap<>();
  final Map<String, String> onTop = new HashMap<>();
  final Map<String, String> live = new HashMap<>();
  private final Path directory;
  private final DeclaredModuleSettings declared;

  Places(Path directory) {
    this(directory, DeclaredModuleSettings.NONE);
  }

  Places(Path directory, DeclaredModuleSettings declared) {
    this.directory = directory;
    this.declared = declared;
  }

  SettingsSnapshot read() {
    return new SettingsLoader(
            SettingsLayer.of("class path", classPath),
            directory,
            () -> environment,
            () -> properties,
            () -> Optional.of(SettingsLayer.of("MicroProfile Config", microProfile)),
            () -> live,
            SettingsLayer.of("init parameter", onTop),
            declared)
        .read();
  }
}
