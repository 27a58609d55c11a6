package io.weir.internal.rocksdb;

import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** Declares and reads the settings of this module. */
public final class RocksDbSettings implements ModuleSettings {
  private static final String CACHE = "weir.rocksdb.cache-mb";
  private static final String SYNC = "weir.rocksdb.sync-ms";
  private static final long USUAL_CACHE = 32;
  private static final long MOST_CACHE = 65_536;
  private static final long USUAL_SYNC = 1_000;
  private static final long LEAST_SYNC = 10;
  private static final long MOST_SYNC = 3_600_000;
  private static final long MEGABYTE = 1L << 20;

  private static final List<ModuleSetting> ALL =
      List.of(
          ModuleSetting.number(CACHE, USUAL_CACHE, 1, MOST_CACHE),
          ModuleSetting.number(SYNC, USUAL_SYNC, LEAST_SYNC, MOST_SYNC));

  /** For {@link java.util.ServiceLoader}. */
  public RocksDbSettings() {}

  @Override
  public List<ModuleSetting> settings() {
    return ALL;
  }

  /** The size of RocksDB's block cache. */
  static long cacheBytes(UnaryOperator<String> setting) {
    return number(setting, CACHE, USUAL_CACHE) * MEGABYTE;
  }

  /** The interval at which writes are synced to the disk. */
  static Duration sync(UnaryOperator<String> setting) {
    return Duration.ofMillis(number(setting, SYNC, USUAL_SYNC));
  }

  private static long number(UnaryOperator<String> setting, String name, long usual) {
    String text = setting.apply(name).strip();
    return text.isEmpty() ? usual : Long.parseLong(text);
  }
}
