package io.weir.internal.rules.assembly;

import io.weir.internal.rules.database.SchemaName;
import io.weir.internal.rules.database.connection.DatabaseSettings;
import io.weir.internal.rules.maintenance.RetentionPeriods;
import io.weir.internal.rules.request.CallerSettings;
import io.weir.internal.rules.usage.UsageWriter;
import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import java.time.Duration;
import java.util.List;

/** The settings of the rules; found by {@link java.util.ServiceLoader}. */
public final class RulesSettings implements ModuleSettings {
  static final String DATABASE = "weir.rules";
  static final String USER = "weir.rules.user";
  static final String PASSWORD = "weir.rules.password";
  static final String POOL = "weir.rules.pool";
  static final String TIMEOUT = "weir.rules.timeout";
  static final String QUOTA_TIMEOUT = "weir.rules.quota-timeout";
  static final String MIGRATE = "weir.rules.migrate";
  static final String TABLES = "weir.rules.tables";
  static final String SCHEMA = "weir.rules.schema";

  /** Roles that may own parts of the schema, beside those that always may. */
  static final String OWNERS = "weir.rules.owners";

  /** The name of the application; nodes of another one in the schema are reported. */
  static final String APPLICATION = "weir.rules.application";

  static final String CALLERS = "weir.rules.callers";
  static final String SNAPSHOT = "weir.rules.snapshot";
  static final String REQUIRED = "weir.rules.required";

  /** The name of this node. */
  static final String NODE = "weir.node";

  static final String USAGE = "weir.usage";
  static final String USAGE_INTERVAL = "weir.usage.interval";
  static final String KEEP_HOURS = "weir.usage.keep.hours";
  static final String KEEP_DAYS = "weir.usage.keep.days";
  static final String KEEP_MINUTES = "weir.usage.keep.minutes";
  static final String KEEP_VIOLATIONS = "weir.usage.keep.violations";
  static final String KEEP_HISTORY = "weir.usage.keep.history";
  static final String KEEP_USER_HISTORY = "weir.usage.keep.user-history";

  /** The strongest action against callers with unusual usage. */
  static final String ANOMALIES = "weir.anomaly.action";

  /** The value of {@link #ANOMALIES} that turns detection off. */
  static final String OFF = "off";

  static final int MAX_CONNECTIONS = 100;

  private static final List<ModuleSetting> ALL =
      List.of(
          ModuleSetting.text(DATABASE, ""),
          ModuleSetting.text(USER, ""),
          ModuleSetting.text(PASSWORD, ""),
          ModuleSetting.number(POOL, DatabaseSettings.USUAL_POOL, 1, MAX_CONNECTIONS),
          ModuleSetting.duration(
              TIMEOUT,
              RulesOptions.USUAL_TIMEOUT,
              RulesOptions.MIN_TIMEOUT,
              RulesOptions.MAX_TIMEOUT),
          ModuleSetting.duration(
              QUOTA_TIMEOUT,
              RulesOptions.USUAL_QUOTA_TIMEOUT,
              RulesOptions.MIN_TIMEOUT,
              RulesOptions.MAX_TIMEOUT),
          ModuleSetting.flag(MIGRATE, true),
          ModuleSetting.text(TABLES, ""),
          ModuleSetting.text(SCHEMA, SchemaName.USUAL.name()),
          ModuleSetting.text(OWNERS, ""),
          ModuleSetting.text(APPLICATION, ""),
          ModuleSetting.text("weir.rules.caller", ""),
          ModuleSetting.flag("weir.rules.caller.plain", false),
          ModuleSetting.text("weir.rules.default-tier", CallerSettings.FREE),
          ModuleSetting.number(CALLERS, RulesOptions.USUAL_CALLERS, 1, RulesOptions.MAX_CALLERS),
          ModuleSetting.text(SNAPSHOT, ""),
          ModuleSetting.flag(REQUIRED, false),
          ModuleSetting.text(NODE, ""),
          ModuleSetting.flag(USAGE, true),
          ModuleSetting.duration(
              USAGE_INTERVAL,
              UsageWriter.USUAL_INTERVAL,
              UsageOptions.MIN_INTERVAL,
              UsageOptions.MAX_INTERVAL),
          kept(KEEP_HOURS, RetentionPeriods.USUAL.hours()),
          kept(KEEP_DAYS, RetentionPeriods.USUAL.days()),
          kept(KEEP_MINUTES, RetentionPeriods.USUAL.minutes()),
          kept(KEEP_VIOLATIONS, RetentionPeriods.USUAL.violations()),
          kept(KEEP_HISTORY, RetentionPeriods.USUAL.history()),
          kept(KEEP_USER_HISTORY, RetentionPeriods.USUAL.userHistory()),
          ModuleSetting.word(ANOMALIES, "monitor", List.of(OFF, "monitor", "throttle", "block")));

  private static ModuleSetting kept(String name, Duration usual) {
    return ModuleSetting.duration(name, usual, RetentionPeriods.SHORTEST, RetentionPeriods.LONGEST);
  }

  /** Made by {@link java.util.ServiceLoader}. */
  public RulesSettings() {}

  @Override
  public List<ModuleSetting> settings() {
    return ALL;
  }
}
