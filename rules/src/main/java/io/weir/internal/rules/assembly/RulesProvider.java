package io.weir.internal.rules.assembly;

import io.weir.internal.rules.database.SchemaName;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.database.connection.DatabaseSettings;
import io.weir.internal.rules.database.connection.OpenDatabase;
import io.weir.internal.rules.feed.RuleFeed;
import io.weir.internal.rules.maintenance.LeaderElection;
import io.weir.internal.rules.maintenance.RetentionPeriods;
import io.weir.internal.rules.request.CallerSettings;
import io.weir.internal.value.SettingValues;
import io.weir.rules.Rules;
import io.weir.rules.anomaly.AnomalyAction;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.spi.PolicySource;
import io.weir.spi.PolicySourceProvider;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** Opens the rules where {@code weir.rules} is set; found by {@link java.util.ServiceLoader}. */
public final class RulesProvider implements PolicySourceProvider {
  /** Made by {@link java.util.ServiceLoader}. */
  public RulesProvider() {}

  @Override
  public Optional<PolicySource> open(UnaryOperator<String> setting) {
    return open(setting, name -> Optional.empty()).map(Rules::policySource);
  }

  /**
   * Opens the rules that settings name.
   *
   * @param setting reads a setting by its full name
   * @param dataSources finds a data source of the application by the name after {@code
   *     datasource:}; JNDI is asked if it finds none
   * @return open rules, which the caller closes; empty if the settings name none
   * @throws IllegalArgumentException if a setting can't be used
   */
  public static Optional<Rules> open(
      UnaryOperator<String> setting, Function<String, Optional<DataSource>> dataSources) {
    return setting.apply(RulesSettings.DATABASE).isBlank()
        ? Optional.empty()
        : Optional.of(rules(setting, dataSources));
  }

  /** Opens the rules that settings name. */
  static DefaultRules rules(UnaryOperator<String> setting) {
    return rules(setting, name -> Optional.empty());
  }

  private static DefaultRules rules(
      UnaryOperator<String> setting, Function<String, Optional<DataSource>> dataSources) {
    SettingValues settings = new SettingValues(setting);
    RulesOptions parts =
        new RulesOptions(
            CallerSettings::of,
            settings.duration(RulesSettings.TIMEOUT),
            Math.toIntExact(
                settings.number(
                    RulesSettings.CALLERS,
                    RulesOptions.USUAL_CALLERS,
                    1,
                    RulesOptions.MAX_CALLERS)),
            Optional.of(settings.text(RulesSettings.SNAPSHOT))
                .filter(file -> !file.isBlank())
                .map(Path::of),
            settings.flag(RulesSettings.REQUIRED, false),
            RuleFeed.USUAL_INTERVAL,
            usage(settings),
            anomalies(settings.word(RulesSettings.ANOMALIES)),
            settings.duration(RulesSettings.QUOTA_TIMEOUT),
            Optional.of(settings.text(RulesSettings.TABLES).strip())
                .filter(schema -> !schema.isEmpty()));
    boolean migrate = settings.flag(RulesSettings.MIGRATE, true);
    SchemaName schema = schema(settings.word(RulesSettings.SCHEMA));
    Set<String> owners = DatabaseOpener.owners(settings.text(RulesSettings.OWNERS));
    OpenDatabase database = connect(settings, dataSources);
    return DefaultRules.open(
        () -> DatabaseOpener.open(database.source(), migrate, schema, owners),
        database::close,
        parts);
  }

  private static SchemaName schema(String name) {
    try {
      return new SchemaName(name);
    } catch (IllegalArgumentException mistake) {
      throw new IllegalArgumentException(
          RulesSettings.SCHEMA + ": " + mistake.getMessage(), mistake);
    }
  }

  private static UsageOptions usage(SettingValues settings) {
    return new UsageOptions(
        settings.flag(RulesSettings.USAGE, true),
        settings.duration(RulesSettings.USAGE_INTERVAL),
        new RetentionPeriods(
            settings.duration(RulesSettings.KEEP_HOURS),
            settings.duration(RulesSettings.KEEP_DAYS),
            settings.duration(RulesSettings.KEEP_MINUTES),
            settings.duration(RulesSettings.KEEP_VIOLATIONS),
            settings.duration(RulesSettings.KEEP_HISTORY),
            settings.duration(RulesSettings.KEEP_USER_HISTORY)),
        LeaderElection.USUAL_HOLD);
  }

  private static AnomalyAction anomalies(String word) {
    return word.equals(RulesSettings.OFF)
        ? AnomalyAction.ALLOW
        : AnomalyAction.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private static OpenDatabase connect(
      SettingValues settings, Function<String, Optional<DataSource>> dataSources) {
    String url = settings.word(RulesSettings.DATABASE);
    if (!url.startsWith("jdbc:") && !url.startsWith("datasource:")) {
      throw new IllegalArgumentException(
          RulesSettings.DATABASE + " begins with jdbc: or datasource:");
    }
    try {
      return DatabaseOpener.connect(
          new DatabaseSettings(
              url,
              settings.text(RulesSettings.USER),
              settings.text(RulesSettings.PASSWORD),
              Math.toIntExact(
                  settings.number(
                      RulesSettings.POOL,
                      DatabaseSettings.USUAL_POOL,
                      1,
                      RulesSettings.MAX_CONNECTIONS)),
              DatabaseSettings.USUAL_PATIENCE),
          dataSources);
    } catch (RulesUnavailableException impossible) {
      throw new IllegalArgumentException(
          RulesSettings.DATABASE + ": " + impossible.getMessage(), impossible);
    }
  }
}
