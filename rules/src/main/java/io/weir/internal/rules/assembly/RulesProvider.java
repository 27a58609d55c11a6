package io.weir.internal.rules.assembly;

import io.weir.internal.rules.database.SchemaName;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.database.connection.DatabaseSettings;
import io.weir.internal.rules.database.connection.OpenDatabase;
import io.weir.internal.rules.feed.RuleFeed;
import io.weir.internal.rules.maintenance.LeaderElection;
import io.weir.internal.rules.maintenance.RetentionPeriods;
import io.weir.internal.rules.request.CallerSettings;
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
    return RulesSettings.DATABASE.read(setting).isEmpty()
        ? Optional.empty()
        : Optional.of(rules(setting, dataSources));
  }

  static DefaultRules rules(UnaryOperator<String> setting) {
    return rules(setting, name -> Optional.empty());
  }

  private static DefaultRules rules(
      UnaryOperator<String> settings, Function<String, Optional<DataSource>> dataSources) {
    RulesOptions parts =
        new RulesOptions(
            CallerSettings::of,
            RulesSettings.TIMEOUT.read(settings),
            RulesSettings.CALLERS.read(settings),
            RulesSettings.SNAPSHOT.read(settings).map(Path::of),
            RulesSettings.REQUIRED.read(settings),
            RuleFeed.USUAL_INTERVAL,
            usage(settings),
            anomalies(RulesSettings.ANOMALIES.read(settings)),
            RulesSettings.QUOTA_TIMEOUT.read(settings),
            RulesSettings.TABLES.read(settings));
    boolean migrate = RulesSettings.MIGRATE.read(settings);
    SchemaName schema = RulesSettings.SCHEMA.read(settings);
    Set<String> owners = RulesSettings.OWNERS.read(settings);
    OpenDatabase database = connect(settings, dataSources);
    return DefaultRules.open(
        () -> DatabaseOpener.open(database.source(), migrate, schema, owners),
        database::close,
        parts);
  }

  private static UsageOptions usage(UnaryOperator<String> settings) {
    return new UsageOptions(
        RulesSettings.USAGE.read(settings),
        RulesSettings.USAGE_INTERVAL.read(settings),
        new RetentionPeriods(
            RulesSettings.KEEP_HOURS.read(settings),
            RulesSettings.KEEP_DAYS.read(settings),
            RulesSettings.KEEP_MINUTES.read(settings),
            RulesSettings.KEEP_VIOLATIONS.read(settings),
            RulesSettings.KEEP_HISTORY.read(settings),
            RulesSettings.KEEP_USER_HISTORY.read(settings)),
        LeaderElection.USUAL_HOLD);
  }

  private static AnomalyAction anomalies(String word) {
    return word.equals(RulesSettings.OFF)
        ? AnomalyAction.ALLOW
        : AnomalyAction.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private static OpenDatabase connect(
      UnaryOperator<String> settings, Function<String, Optional<DataSource>> dataSources) {
    String url = RulesSettings.DATABASE.read(settings);
    if (!url.startsWith("jdbc:") && !url.startsWith("datasource:")) {
      throw new IllegalArgumentException(
          RulesSettings.DATABASE.name() + " begins with jdbc: or datasource:");
    }
    try {
      return DatabaseOpener.connect(
          new DatabaseSettings(
              url,
              RulesSettings.USER.read(settings),
              RulesSettings.PASSWORD.read(settings),
              RulesSettings.POOL.read(settings),
              DatabaseSettings.USUAL_PATIENCE),
          dataSources);
    } catch (RulesUnavailableException impossible) {
      throw new IllegalArgumentException(
          RulesSettings.DATABASE.name() + ": " + impossible.getMessage(), impossible);
    }
  }
}
