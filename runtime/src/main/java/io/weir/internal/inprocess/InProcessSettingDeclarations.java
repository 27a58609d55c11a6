package io.weir.internal.inprocess;

import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import java.util.List;
import java.util.Set;

/** Declares that no setting begins with {@code weir.store.inprocess.}. */
public final class InProcessSettingDeclarations implements ModuleSettings {
  /** For {@link java.util.ServiceLoader}. */
  public InProcessSettingDeclarations() {}

  @Override
  public List<ModuleSetting> settings() {
    return List.of();
  }

  @Override
  public Set<String> storeKinds() {
    return Set.of("inprocess");
  }
}
