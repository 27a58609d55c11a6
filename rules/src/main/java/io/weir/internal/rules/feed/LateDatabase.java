package io.weir.internal.rules.feed;

import io.weir.internal.rules.database.JdbcProxy;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.rules.problem.RulesUnavailableException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A database that may be away when the application starts, and is opened later.
 *
 * <p>Safe for concurrent use.
 */
public final class LateDatabase {
  private final Supplier<RuleDatabase> opener;
  private final RuleDatabase rows =
      JdbcProxy.of(
          RuleDatabase.class,
          (proxy, method, arguments) -> {
            boolean isOfObject = method.getDeclaringClass() == Object.class; // such as toString
            return JdbcProxy.call(isOfObject ? this : database(), method, arguments);
          });

  private volatile @Nullable RuleDatabase opened;

  /**
   * Opens nothing yet.
   *
   * @param opener makes the tables and opens them; throws {@link RulesUnavailableException} while
   *     the database is away
   */
  public LateDatabase(Supplier<RuleDatabase> opener) {
    this.opener = opener;
  }

  /**
   * Opens the database, unless it is open.
   *
   * @throws RulesUnavailableException if it is away
   */
  public synchronized void open() {
    if (opened == null) {
      opened = opener.get();
    }
  }

  /**
   * Returns the rows of the database.
   *
   * @return until the database has been opened, each call throws {@link RulesUnavailableException}
   */
  public RuleDatabase rows() {
    return rows;
  }

  private RuleDatabase database() {
    RuleDatabase now = opened;
    if (now == null) {
      throw new RulesUnavailableException(
          "the rules database hasn't been reached since the start",
          new IllegalStateException("not opened yet"));
    }
    return now;
  }
}
