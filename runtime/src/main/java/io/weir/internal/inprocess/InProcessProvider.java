package io.weir.internal.inprocess;

import io.weir.Ticker;
import io.weir.internal.module.Setting;
import io.weir.internal.module.SettingList;
import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import io.weir.store.PermitStore;
import io.weir.store.StoreProvider;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Opens {@link InProcessStore}s, for {@code weir.store=inprocess:}.
 *
 * <p>Reads {@code weir.store.max-buckets}, 1 to 100,000,000, by default 100,000.
 *
 * <p>Safe for concurrent use.
 */
public final class InProcessProvider implements StoreProvider, ModuleSettings {
  private static final String SCHEME = "inprocess";
  private static final Setting<Integer> MAX_BUCKETS =
      SettingList.ofModule().number("weir.store.max-buckets", 100_000, 1, 100_000_000);

  @Override
  public Set<String> schemes() {
    return Set.of(SCHEME);
  }

  /** None begins with {@code weir.store.inprocess.}. */
  @Override
  public Set<String> storeKinds() {
    return Set.of(SCHEME);
  }

  @Override
  public List<ModuleSetting> settings() {
    return List.of();
  }

  @Override
  public PermitStore open(URI address, UnaryOperator<String> setting, Ticker ticker) {
    return new InProcessStore(ticker, MAX_BUCKETS.read(setting));
  }
}
