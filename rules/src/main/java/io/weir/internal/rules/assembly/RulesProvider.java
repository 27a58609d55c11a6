package io.weir.internal.rules.assembly;

import io.weir.internal.rules.database.connection.DatabaseSettings;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.database.connection.OpenDatabase;
import io.weir.internal.rules.duties.Duties;
import io.weir.internal.rules.duties.Retention;
import io.weir.internal.rules.feed.RuleFeed;
import io.weir.internal.rules.request.RequestSettings;
import io.weir.rules.AnomalyAction;
import io.weir.rules.RulesUnavailableException;
import io.weir.spi.PolicySource;
import io.weir.spi.PolicySourceProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Opens the rules where {@code weir.rules} is set; found by {@link java.util.ServiceLoader}. */
public final class RulesProvider implements PolicySourceProvider {
  private static final Pattern SHORT_DURATION = Pattern.compile("(\\d+)(ms|s|m|h|d)");

  /** Made by {@link java.util.ServiceLoader}. */
  public RulesProvider() {}

  @Override
  public Optional<PolicySource> open(UnaryOperator<String> setting) {
    return setting.apply(RulesSettings.DATABASE).isBlank()
        ? Optional.empty()
        : Optional.of(rules(setting).policySource());
  }

  /** Opens the rules that settings name. */
  static DefaultRules rules(UnaryOperator<String> setting) {
    RulesOptions parts =
        new RulesOptions(
            RequestSettings::of,
            duration(setting.apply(RulesSettings.TIMEOUT)),
            Integer.parseInt(setting.apply(RulesSettings.CALLERS)),
            Optional.of(setting.apply(RulesSettings.SNAPSHOT))
                .filter(file -> !file.isBlank())
                .map(Path::of),
            Boolean.parseBoolean(setting.apply(RulesSettings.REQUIRED)),
            RuleFeed.USUAL_INTERVAL,
            usage(setting),
            anomalies(setting.apply(RulesSettings.ANOMALIES)));
    boolean migrate = Boolean.parseBoolean(setting.apply(RulesSettings.MIGRATE));
    OpenDatabase database = connect(setting);
    return DefaultRules.open(
        () -> DatabaseOpener.open(database.source(), migrate), database::close, parts);
  }

  private static UsageOptions usage(UnaryOperator<String> setting) {
    return new UsageOptions(
        Boolean.parseBoolean(setting.apply(RulesSettings.USAGE)),
        duration(setting.apply(RulesSettings.USAGE_INTERVAL)),
        new Retention(
            duration(setting.apply(RulesSettings.KEEP_HOURS)),
            duration(setting.apply(RulesSettings.KEEP_DAYS)),
            duration(setting.apply(RulesSettings.KEEP_MINUTES)),
            duration(setting.apply(RulesSettings.KEEP_VIOLATIONS)),
            duration(setting.apply(RulesSettings.KEEP_HISTORY)),
            duration(setting.apply(RulesSettings.KEEP_USER_HISTORY))),
        Duties.USUAL_HOLD);
  }

  private static AnomalyAction anomalies(String word) {
    return word.equals(RulesSettings.OFF)
        ? AnomalyAction.ALLOW
        : AnomalyAction.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private static OpenDatabase connect(UnaryOperator<String> setting) {
    String url = setting.apply(RulesSettings.DATABASE).strip();
    if (!url.startsWith("jdbc:") && !url.startsWith("datasource:")) {
      throw new IllegalArgumentException(
          RulesSettings.DATABASE + " begins with jdbc: or datasource:");
    }
    try {
      return DatabaseOpener.connect(
          new DatabaseSettings(
              url,
              setting.apply(RulesSettings.USER),
              setting.apply(RulesSettings.PASSWORD),
              Integer.parseInt(setting.apply(RulesSettings.POOL)),
              DatabaseSettings.USUAL_PATIENCE));
    } catch (RulesUnavailableException impossible) {
      throw new IllegalArgumentException(
          RulesSettings.DATABASE + ": " + impossible.getMessage(), impossible);
    }
  }

  /** A length of time that was checked by the settings already. */
  private static Duration duration(String text) {
    Matcher words = SHORT_DURATION.matcher(text.strip());
    if (!words.matches()) {
      return Duration.parse(text.strip());
    }
    long amount = Long.parseLong(words.group(1));
    return switch (words.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }
}
