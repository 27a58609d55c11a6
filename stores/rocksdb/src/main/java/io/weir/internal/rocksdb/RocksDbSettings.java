package io.weir.internal.rocksdb;

import io.weir.internal.value.SettingValues;
import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Declares and reads the settings of this module. */
public final class RocksDbSettings implements ModuleSettings {
  private static final String CACHE = "weir.rocksdb.cache-mb";
  private static final String SYNC = "weir.rocksdb.sync-ms";
  private static final long USUAL_CACHE = 32;
  private static final long MAX_CACHE = 65_536;
  private static final long USUAL_SYNC = 1_000;
  private static final long MIN_SYNC = 10;
  private static final long MAX_SYNC = 3_600_000;
  private static final long MEGABYTE = 1L << 20;

  private static final List<ModuleSetting> ALL =
      List.of(
          ModuleSetting.number(CACHE, USUAL_CACHE, 1, MAX_CACHE),
          ModuleSetting.number(SYNC, USUAL_SYNC, MIN_SYNC, MAX_SYNC));

  /** For {@link java.util.ServiceLoader}. */
  public RocksDbSettings() {}

  @Override
  public List<ModuleSetting> settings() {
    return ALL;
  }

  /** None begins with {@code weir.store.rocksdb.}. */
  @Override
  public Set<String> storeKinds() {
    return Set.of("rocksdb");
  }

  /** Returns the size of RocksDB's block cache. */
  static long cacheBytes(SettingValues settings) {
    return settings.number(CACHE, USUAL_CACHE, 1, MAX_CACHE) * MEGABYTE;
  }

  /** Returns the interval at which writes are synced to the disk. */
  static Duration sync(SettingValues settings) {
    return Duration.ofMillis(settings.number(SYNC, USUAL_SYNC, MIN_SYNC, MAX_SYNC));
  }
}
