package io.weir.rules;

import io.weir.internal.rules.assembly.DefaultRules;
import io.weir.internal.rules.assembly.RulesOptions;
import io.weir.internal.rules.assembly.UsageOptions;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.feed.RuleFeed;
import io.weir.internal.rules.request.RequestSettings;
import io.weir.spi.SourceContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Collects what {@link Rules} need; what isn't given has the default of its setting.
 *
 * <p>Confine to one thread.
 */
public final class RulesBuilder {
  private final DataSource database;
  private boolean migrate = true;
  private boolean isRequired;
  private Duration timeout = RulesOptions.USUAL_TIMEOUT;
  private int callers = RulesOptions.USUAL_CALLERS;
  private boolean isUsageWritten = true;
  private Optional<Path> snapshot = Optional.empty();
  private AnomalyAction anomalies = RulesOptions.USUAL_ANOMALIES;
  private Optional<String> caller = Optional.empty();
  private Optional<Boolean> isPlain = Optional.empty();
  private Optional<String> defaultTier = Optional.empty();

  RulesBuilder(DataSource database) {
    this.database = Objects.requireNonNull(database, "database");
  }

  /**
   * Whether to make and migrate the tables at the start.
   *
   * @param wanted false only checks them, and tells the SQL that is missing
   * @return this
   */
  public RulesBuilder migrate(boolean wanted) {
    this.migrate = wanted;
    return this;
  }

  /**
   * How long a request waits for the look-up of its caller.
   *
   * @param most 1 ms to 10 s; 50 ms unless set. Counts towards the time-out of the decision
   * @return this
   */
  public RulesBuilder timeout(Duration most) {
    this.timeout = Objects.requireNonNull(most, "timeout");
    return this;
  }

  /**
   * What tells callers apart who aren't signed in.
   *
   * @param expression a key expression such as {@code header:X-Api-Key}; unless set, what the
   *     application's {@code weir.rules.caller} says
   * @return this
   */
  public RulesBuilder caller(String expression) {
    this.caller = Optional.of(expression);
    return this;
  }

  /**
   * Whether rows of users are found by the keys themselves.
   *
   * @param wanted true for adopted tables that have keys as they are; then principals have no rows.
   *     Unless set, what the application's {@code weir.rules.caller.plain} says
   * @return this
   */
  public RulesBuilder plainKeys(boolean wanted) {
    this.isPlain = Optional.of(wanted);
    return this;
  }

  /**
   * The tier of callers that have none.
   *
   * @param tier its name; unless set, what the application's {@code weir.rules.default-tier} says
   * @return this
   */
  public RulesBuilder defaultTier(String tier) {
    this.defaultTier = Optional.of(tier);
    return this;
  }

  /**
   * How many callers to keep in memory, so that they needn't be looked up.
   *
   * @param most 1 to 100,000,000; 100,000 unless set
   * @return this
   */
  public RulesBuilder callers(int most) {
    this.callers = most;
    return this;
  }

  /**
   * Keeps the rules in a file too, for a start while the database is away.
   *
   * @param file has rules, costs and switches, no users; only its owner can read it
   * @return this
   */
  public RulesBuilder snapshot(Path file) {
    this.snapshot = Optional.of(file);
    return this;
  }

  /**
   * Whether to fail if the database is away.
   *
   * @param wanted false, the default, begins with the snapshot, or without rules, and reaches the
   *     database later
   * @return this
   */
  public RulesBuilder required(boolean wanted) {
    this.isRequired = wanted;
    return this;
  }

  /**
   * Whether to write usage and violations.
   *
   * @param wanted false, and {@link Rules#usage} reads only what other nodes write; true unless
   *     set. How often it is written and how long it is kept is as the settings {@code
   *     weir.usage.…} have it by default
   * @return this
   */
  public RulesBuilder usage(boolean wanted) {
    this.isUsageWritten = wanted;
    return this;
  }

  /**
   * How far it may go against callers whose usage is unusual.
   *
   * @param most {@link AnomalyAction#MONITOR} unless set; {@link AnomalyAction#ALLOW}: no anomalies
   *     are looked for
   * @return this
   */
  public RulesBuilder anomalies(AnomalyAction most) {
    this.anomalies = Objects.requireNonNull(most, "most");
    return this;
  }

  /**
   * Opens the rules: makes the tables, reads them, and follows their changes.
   *
   * @return open rules, which the caller closes
   * @throws IllegalArgumentException if something given is out of range
   * @throws RulesUnavailableException if the database is {@linkplain #required required}, and away
   */
  public Rules build() {
    RulesOptions parts =
        new RulesOptions(
            this::requests,
            timeout,
            callers,
            snapshot,
            isRequired,
            RuleFeed.USUAL_INTERVAL,
            UsageOptions.USUAL.on(isUsageWritten),
            anomalies);
    return DefaultRules.open(() -> DatabaseOpener.open(database, migrate), () -> {}, parts);
  }

  private RequestSettings requests(SourceContext application) {
    RequestSettings set = RequestSettings.of(application);
    return new RequestSettings(
        caller.orElse(set.caller()),
        isPlain.orElse(set.isPlain()),
        defaultTier.orElse(set.defaultTier()));
  }
}
