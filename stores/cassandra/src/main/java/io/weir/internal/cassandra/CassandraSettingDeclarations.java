package io.weir.internal.cassandra;

import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Declares the names of {@link CassandraSettings}. */
public final class CassandraSettingDeclarations implements ModuleSettings {
  static final String PREFIX = "weir.store.cassandra.";

  /** Texts without defaults, since the store itself checks the values and has their defaults. */
  private static final List<ModuleSetting> ALL =
      Stream.of(
              "user",
              "password",
              "trust-store",
              "trust-store-password",
              "verify-host",
              "connect-timeout",
              "command-timeout",
              "read-consistency",
              "write-consistency",
              "create-schema",
              "replication",
              "share")
          .map(name -> ModuleSetting.text(PREFIX + name, ""))
          .toList();

  /** For {@link java.util.ServiceLoader}. */
  public CassandraSettingDeclarations() {}

  @Override
  public List<ModuleSetting> settings() {
    return ALL;
  }

  @Override
  public Set<String> storeKinds() {
    return Set.of("cassandra");
  }
}
