package io.weir.spring.store;

import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import java.util.List;
import java.util.Set;

/**
 * Declares that no setting begins with {@code weir.store.spring.}: the store has those of Redis.
 */
public final class SpringStoreSettings implements ModuleSettings {
  @Override
  public List<ModuleSetting> settings() {
    return List.of();
  }

  @Override
  public Set<String> storeKinds() {
    return Set.of("spring");
  }
}
