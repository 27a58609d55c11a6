package io.weir.internal.rocksdb;

import io.weir.internal.module.Setting;
import io.weir.internal.module.SettingList;
import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import java.util.List;
import java.util.Set;

/** Declares the settings of this module. */
public final class RocksDbSettings implements ModuleSettings {
  private static final SettingList ALL = SettingList.ofModule();

  /** The size of RocksDB's block cache in megabytes. */
  static final Setting<Integer> CACHE = ALL.number("weir.rocksdb.cache-mb", 32, 1, 65_536);

  /** The interval at which writes are synced to the disk, in milliseconds. */
  static final Setting<Integer> SYNC = ALL.number("weir.rocksdb.sync-ms", 1_000, 10, 3_600_000);

  @Override
  public List<ModuleSetting> settings() {
    return ALL.declarations();
  }

  /** None begins with {@code weir.store.rocksdb.}. */
  @Override
  public Set<String> storeKinds() {
    return Set.of("rocksdb");
  }
}
