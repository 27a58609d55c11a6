package io.weir.internal.postgres;

import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Declares the names of {@link PostgresSettings}, and that none begins with the schemes of its
 * addresses.
 */
public final class PostgresSettingDeclarations implements ModuleSettings {
  static final String PREFIX = "weir.store.postgres.";

  /** Texts without defaults, since the store itself checks the values and has their defaults. */
  private static final List<ModuleSetting> ALL =
      Stream.of(
              "user",
              "password",
              "ssl-mode",
              "ssl-root-cert",
              "connections",
              "connect-timeout",
              "command-timeout",
              "schema",
              "create-schema",
              "owners",
              "durability",
              "prepared-statements",
              "sweep")
          .map(name -> ModuleSetting.text(PREFIX + name, ""))
          .toList();

  /** For {@link java.util.ServiceLoader}. */
  public PostgresSettingDeclarations() {}

  @Override
  public List<ModuleSetting> settings() {
    return ALL;
  }

  @Override
  public Set<String> storeKinds() {
    return Set.of("postgres", "postgresql", "jdbc", "datasource");
  }
}
