package io.weir.control;

import io.weir.internal.rules.assembly.DefaultRules;
import io.weir.internal.rules.assembly.RulesOptions;
import io.weir.internal.rules.assembly.UsageOptions;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.feed.RuleFeed;
import io.weir.internal.rules.request.CallerSettings;
import io.weir.rules.Rules;
import io.weir.rules.anomaly.AnomalyAction;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** Opens rules as applications do, but for reports of the node, which come ten times as often. */
public final class QuickRules {
  private QuickRules() {}

  /**
   * Opens rules that block callers with unusual usage.
   *
   * @param database with or without the tables
   * @return open rules, which the caller closes
   */
  public static Rules open(DataSource database) {
    UsageOptions usual = UsageOptions.USUAL;
    UsageOptions quick =
        new UsageOptions(
            true,
            usual.interval(),
            usual.retention(),
            usual.hold(),
            usual.reportPause().dividedBy(10));
    RulesOptions options =
        new RulesOptions(
            CallerSettings::of,
            Duration.ofSeconds(10),
            RulesOptions.USUAL_CALLERS,
            Optional.empty(),
            false,
            RuleFeed.USUAL_INTERVAL,
            quick,
            AnomalyAction.BLOCK);
    return DefaultRules.open(() -> DatabaseOpener.open(database, true), () -> {}, options);
  }
}
