package io.weir.spring.control;

import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import java.util.List;

/** Declares the setting that mounts the control API. Found by {@link java.util.ServiceLoader}. */
public final class ControlMountSettings implements ModuleSettings {
  /** The path below which the control API is mounted; empty for none. */
  static final String PATH = "weir.control.path";

  @Override
  public List<ModuleSetting> settings() {
    return List.of(ModuleSetting.text(PATH, ""));
  }
}
