package io.weir.internal.redis.address;

import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Declares the names of {@link RedisSettings}. */
public final class RedisSettingDeclarations implements ModuleSettings {
  static final String PREFIX = "weir.store.redis.";

  /** Texts without defaults, since the store itself checks the values and has their defaults. */
  private static final List<ModuleSetting> ALL =
      Stream.of(
              "user",
              "password",
              "sentinel-user",
              "sentinel-password",
              "connections",
              "connect-timeout",
              "command-timeout",
              "trust-store",
              "trust-store-password",
              "verify-host")
          .map(name -> ModuleSetting.text(PREFIX + name, ""))
          .toList();

  /** For {@link java.util.ServiceLoader}. */
  public RedisSettingDeclarations() {}

  @Override
  public List<ModuleSetting> settings() {
    return ALL;
  }

  @Override
  public Set<String> storeKinds() {
    return Set.of("redis", "rediss", "redis-sentinel", "redis-cluster");
  }
}
