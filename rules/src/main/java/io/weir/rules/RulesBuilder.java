package io.weir.rules;

import io.weir.internal.rules.assembly.DefaultRules;
import io.weir.internal.rules.assembly.RulesOptions;
import io.weir.internal.rules.assembly.UsageOptions;
import io.weir.internal.rules.database.SchemaName;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.feed.RuleFeed;
import io.weir.internal.rules.request.CallerSettings;
import io.weir.rules.anomaly.AnomalyAction;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.spi.SourceContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Builds {@link Rules}. Each option has the default of its setting.
 *
 * <p>Confine to one thread.
 */
public final class RulesBuilder {
  private final DataSource database;
  private boolean migrate = true;
  private SchemaName schema = SchemaName.USUAL;
  private Set<String> owners = Set.of();
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
   * Sets whether to create and migrate the tables at the start.
   *
   * @param wanted true unless set; if false, tables are only checked, and the error has the missing
   *     SQL
   * @return this
   */
  public RulesBuilder migrate(boolean wanted) {
    this.migrate = wanted;
    return this;
  }

  /**
   * Sets the schema of the tables, which is Weir's own.
   *
   * @param name {@code weir} unless set; lower-case letters, digits and underscores
   * @return this
   * @throws IllegalArgumentException if it has other characters, or belongs to others, as {@code
   *     public} does
   */
  public RulesBuilder schema(String name) {
    this.schema = new SchemaName(name);
    return this;
  }

  /**
   * Sets which roles of PostgreSQL may own the schema and what is in it, beside Weir's own, those
   * it is a member of, the owner of the database and superusers. Whoever owns a part of the schema
   * can run code as Weir's role, so a schema of others is refused.
   *
   * @param roles none unless set
   * @return this
   */
  public RulesBuilder owners(Set<String> roles) {
    this.owners = Set.copyOf(roles);
    return this;
  }

  /**
   * Sets the longest wait of a request for the look-up of its caller.
   *
   * @param most 1 ms to 10 s; 50 ms unless set. Counts towards the time-out of the decision
   * @return this
   */
  public RulesBuilder timeout(Duration most) {
    this.timeout = Objects.requireNonNull(most, "timeout");
    return this;
  }

  /**
   * Sets how to identify callers that aren't signed in.
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
   * Sets whether rows of users are found by the keys themselves, not by digests.
   *
   * @param wanted true for tables with plain keys; then principals have no rows. Unless set, what
   *     the application's {@code weir.rules.caller.plain} says
   * @return this
   */
  public RulesBuilder plainKeys(boolean wanted) {
    this.isPlain = Optional.of(wanted);
    return this;
  }

  /**
   * Sets the tier of callers that have none.
   *
   * @param tier its name; unless set, what the application's {@code weir.rules.default-tier} says
   * @return this
   */
  public RulesBuilder defaultTier(String tier) {
    this.defaultTier = Optional.of(tier);
    return this;
  }

  /**
   * Sets how many callers to keep in memory.
   *
   * @param most 1 to 100,000,000; 100,000 unless set
   * @return this
   */
  public RulesBuilder callers(int most) {
    this.callers = most;
    return this;
  }

  /**
   * Keeps a copy of the rules in a file, for a start while the database is unavailable.
   *
   * @param file the file, with rules, costs and switches but no users; only its owner can read it
   * @return this
   */
  public RulesBuilder snapshot(Path file) {
    this.snapshot = Optional.of(file);
    return this;
  }

  /**
   * Sets whether the start fails if the database is unavailable.
   *
   * @param wanted false unless set: begins with the snapshot, or without rules, and connects later
   * @return this
   */
  public RulesBuilder required(boolean wanted) {
    this.isRequired = wanted;
    return this;
  }

  /**
   * Sets whether to write usage and violations, with the defaults of the settings {@code
   * weir.usage.…}.
   *
   * @param wanted true unless set; if false, {@link Rules#usage} reads only what other nodes write
   * @return this
   */
  public RulesBuilder usage(boolean wanted) {
    this.isUsageWritten = wanted;
    return this;
  }

  /**
   * Sets the strongest action against callers with unusual usage.
   *
   * @param most {@link AnomalyAction#MONITOR} unless set; with {@link AnomalyAction#ALLOW}, no
   *     anomalies are looked for
   * @return this
   */
  public RulesBuilder anomalies(AnomalyAction most) {
    this.anomalies = Objects.requireNonNull(most, "most");
    return this;
  }

  /**
   * Opens the rules: creates the tables, reads them, and follows their changes.
   *
   * @return open rules, which the caller closes
   * @throws IllegalArgumentException if an option is out of range
   * @throws RulesUnavailableException if the database is {@linkplain #required required} and
   *     unavailable
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
    return DefaultRules.open(
        () -> DatabaseOpener.open(database, migrate, schema, owners), () -> {}, parts);
  }

  private CallerSettings requests(SourceContext application) {
    CallerSettings set = CallerSettings.of(application);
    return new CallerSettings(
        caller.orElse(set.caller()),
        isPlain.orElse(set.isPlain()),
        defaultTier.orElse(set.defaultTier()));
  }
}
