package io.weir.internal.rules.assembly;

import io.weir.InvalidSettingException;
import io.weir.internal.module.Setting;
import io.weir.internal.module.SettingList;
import io.weir.internal.rules.database.SchemaName;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.database.connection.DatabaseSettings;
import io.weir.internal.rules.maintenance.RetentionPeriods;
import io.weir.internal.rules.request.CallerSettings;
import io.weir.internal.rules.usage.UsageWriter;
import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Declares the settings of the rules; found by {@link java.util.ServiceLoader}. */
public final class RulesSettings implements ModuleSettings {
  /** The value of {@link #ANOMALIES} that turns detection off. */
  static final String OFF = "off";

  private static final SettingList ALL = SettingList.ofModule();
  static final Setting<String> DATABASE = ALL.parsed("weir.rules", "", String::strip);
  static final Setting<String> USER = ALL.text("weir.rules.user");
  static final Setting<String> PASSWORD = ALL.text("weir.rules.password");
  static final Setting<Integer> POOL =
      ALL.number("weir.rules.pool", DatabaseSettings.USUAL_POOL, 1, 100);
  static final Setting<Duration> TIMEOUT =
      timeout("weir.rules.timeout", RulesOptions.USUAL_TIMEOUT);
  static final Setting<Duration> QUOTA_TIMEOUT =
      timeout("weir.rules.quota-timeout", RulesOptions.USUAL_QUOTA_TIMEOUT);
  static final Setting<Boolean> MIGRATE = ALL.flag("weir.rules.migrate", true);
  static final Setting<Optional<String>> TABLES =
      ALL.parsed("weir.rules.tables", "", RulesSettings::unlessBlank);
  static final Setting<SchemaName> SCHEMA =
      ALL.parsed("weir.rules.schema", SchemaName.USUAL.name(), RulesSettings::schema);

  /** Roles that may own parts of the schema, beside those that always may. */
  static final Setting<Set<String>> OWNERS =
      ALL.parsed("weir.rules.owners", "", DatabaseOpener::owners);

  /** The name of the application; nodes of another one in the schema are reported. */
  static final Setting<String> APPLICATION = ALL.text("weir.rules.application");

  static final Setting<Integer> CALLERS =
      ALL.number("weir.rules.callers", RulesOptions.USUAL_CALLERS, 1, RulesOptions.MAX_CALLERS);
  static final Setting<Optional<String>> SNAPSHOT =
      ALL.parsed("weir.rules.snapshot", "", RulesSettings::unlessBlank);
  static final Setting<Boolean> REQUIRED = ALL.flag("weir.rules.required", false);

  static final Setting<String> NODE = ALL.text("weir.node");

  static final Setting<Boolean> USAGE = ALL.flag("weir.usage", true);
  static final Setting<Duration> USAGE_INTERVAL =
      ALL.duration(
          "weir.usage.interval",
          UsageWriter.USUAL_INTERVAL,
          UsageOptions.MIN_INTERVAL,
          UsageOptions.MAX_INTERVAL);
  static final Setting<Duration> KEEP_HOURS = kept("hours", RetentionPeriods.USUAL.hours());
  static final Setting<Duration> KEEP_DAYS = kept("days", RetentionPeriods.USUAL.days());
  static final Setting<Duration> KEEP_MINUTES = kept("minutes", RetentionPeriods.USUAL.minutes());
  static final Setting<Duration> KEEP_VIOLATIONS =
      kept("violations", RetentionPeriods.USUAL.violations());
  static final Setting<Duration> KEEP_HISTORY = kept("history", RetentionPeriods.USUAL.history());
  static final Setting<Duration> KEEP_USER_HISTORY =
      kept("user-history", RetentionPeriods.USUAL.userHistory());

  /** The strongest action against callers with unusual usage. */
  static final Setting<String> ANOMALIES =
      ALL.word("weir.anomaly.action", "monitor", List.of(OFF, "monitor", "throttle", "block"));

  private static Setting<Duration> timeout(String name, Duration usual) {
    return ALL.duration(name, usual, RulesOptions.MIN_TIMEOUT, RulesOptions.MAX_TIMEOUT);
  }

  private static Setting<Duration> kept(String what, Duration usual) {
    return ALL.duration(
        "weir.usage.keep." + what, usual, RetentionPeriods.SHORTEST, RetentionPeriods.LONGEST);
  }

  private static Optional<String> unlessBlank(String text) {
    return Optional.of(text.strip()).filter(each -> !each.isEmpty());
  }

  private static SchemaName schema(String text) {
    try {
      return new SchemaName(text.strip());
    } catch (IllegalArgumentException mistake) {
      throw new InvalidSettingException("weir.rules.schema: " + mistake.getMessage());
    }
  }

  public RulesSettings() {}

  @Override
  public List<ModuleSetting> settings() {
    return Stream.of(ALL, CallerSettings.ALL)
        .flatMap(each -> each.declarations().stream())
        .toList();
  }
}
