package io.weir.rules;

import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * Collects what {@link Rules} need; what isn't given has the default of its setting.
 *
 * <p>Confine to one thread.
 */
public final class RulesBuilder {
  private final DataSource database;
  private boolean migrate = true;
  private Duration timeout = Duration.ofMillis(50);

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
    this.timeout = most;
    return this;
  }

  /**
   * Opens the rules: makes the tables, reads them, and follows their changes.
   *
   * @return open rules, which the caller closes
   * @throws RulesUnavailableException if the database can't be used
   */
  public Rules build() {
    throw new UnsupportedOperationException(database + " " + migrate + " " + timeout);
  }
}
