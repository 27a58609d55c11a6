package io.weir.internal.rules.database.connection;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.weir.internal.value.UrlQuery;
import io.weir.rules.problem.RulesUnavailableException;
import java.io.IOException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import javax.naming.InitialContext;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connects to the database that settings name. */
final class DatabaseConnector {
  private static final String BY_NAME = "datasource:";
  private static final long NO_ATTEMPT_AT_START = -1;
  private static final long MIN_WAIT = 250;

  /** Opening a file that wasn't closed properly takes long. */
  private static final long H2_WAIT = 30_000;

  /** Also the longest pause between attempts to connect, while the database is away. */
  private static final long LONGEST_WAIT = 2_000;

  private final DatabaseSettings settings;
  private final Function<String, Optional<DataSource>> dataSources;

  /**
   * Makes a connector.
   *
   * @param dataSources finds a data source of the application by its name, before JNDI is asked
   */
  DatabaseConnector(DatabaseSettings settings, Function<String, Optional<DataSource>> dataSources) {
    this.settings = settings;
    this.dataSources = dataSources;
  }

  OpenDatabase open() {
    String url = settings.url();
    if (url.startsWith(BY_NAME)) {
      String name = url.substring(BY_NAME.length());
      return new OpenDatabase(
          dataSources.apply(name).orElseGet(() -> inNamingContext(name)), () -> {});
    }
    if (driver(url) == JdbcDriver.H2 && !JdbcDriver.H2.isThere()) {
      throw new RulesUnavailableException(unopened(), null);
    }
    String user = settings.user();
    String password = settings.password();
    if (H2FileDefaults.is(url)) {
      if (user.isEmpty() && password.isEmpty() && !namesUser(url)) {
        user = H2FileDefaults.USER;
        password = h2Password(url);
      }
      url = H2FileDefaults.shared(url);
    }
    HikariDataSource pool = pool(url, user, password);
    return new OpenDatabase(pool, pool::close);
  }

  private static boolean namesUser(String url) {
    return url.toUpperCase(Locale.ROOT).contains(";USER=");
  }

  private static String h2Password(String url) {
    try {
      return H2FileDefaults.password(url);
    } catch (IOException e) {
      throw new RulesUnavailableException(
          "the password of the rules' H2 file can't be stored in "
              + H2FileDefaults.passwordFile(url),
          e);
    }
  }

  private HikariDataSource pool(String url, String user, String password) {
    long patience = Math.max(MIN_WAIT, settings.patience().toMillis());
    HikariConfig config = new HikariConfig();
    config.setPoolName("weir-rules");
    // While H2's tables are made, a second connection holds the lock.
    config.setMaximumPoolSize(
        JdbcDriver.of(url).filter(JdbcDriver.H2::equals).isPresent()
            ? Math.max(2, settings.pool())
            : settings.pool());
    config.setConnectionTimeout(
        H2FileDefaults.is(url) ? H2_WAIT : Math.min(LONGEST_WAIT, patience));
    config.setValidationTimeout(patience);
    config.setInitializationFailTimeout(NO_ATTEMPT_AT_START);
    config.setDataSourceProperties(limits(url));
    config.setAutoCommit(true);
    if (!user.isEmpty()) {
      config.setUsername(user);
    }
    if (!password.isEmpty()) {
      config.setPassword(password);
    }
    try {
      @Nullable JdbcDriver driver = driver(url);
      if (driver != null && driver.isThere()) { // containers don't register those of applications
        config.setDriverClassName(driver.className());
      }
      config.setJdbcUrl(isPostgres(url) ? withoutSet(url, user, password) : url);
      return isPostgres(url)
          ? new CancellingDataSource(config, (int) Math.max(1, settings.patience().toSeconds() - 1))
          : new HikariDataSource(config);
    } catch (RuntimeException e) {
      throw new RulesUnavailableException(
          unopened(), PasswordRedactor.withoutPassword(e, settings.password()));
    }
  }

  private String unopened() {
    String hint = JdbcDriver.of(settings.url()).map(JdbcDriver::hint).orElse("");
    return "the rules' database can't be opened: " + settings + hint;
  }

  private static @Nullable JdbcDriver driver(String url) {
    return JdbcDriver.of(url).orElse(null);
  }

  private static boolean isPostgres(String url) {
    return driver(url) == JdbcDriver.POSTGRESQL;
  }

  /** Removes the login that is set from an address: the driver would take that of the address. */
  private static String withoutSet(String url, String user, String password) {
    Set<String> set = new HashSet<>();
    if (!user.isEmpty()) {
      set.add("user");
    }
    if (!password.isEmpty()) {
      set.add("password");
    }
    return UrlQuery.without(url, set);
  }

  /**
   * Bounds the waits of PostgreSQL's driver. A statement is cancelled before its connection is
   * given up: one that waits for a lock would stay on the server otherwise, each time with another
   * connection.
   */
  private Properties limits(String url) {
    Properties properties = new Properties();
    if (isPostgres(url)) {
      long patience = settings.patience().toSeconds();
      String seconds = String.valueOf(Math.max(1, patience));
      properties.setProperty("connectTimeout", seconds);
      properties.setProperty("loginTimeout", seconds);
      properties.setProperty("cancelSignalTimeout", "1");
      properties.setProperty("tcpKeepAlive", "true");
      properties.setProperty("ApplicationName", "weir-rules");
    }
    return properties;
  }

  /** The name is the operator's, from the settings. */
  @SuppressWarnings("BanJNDI")
  private static DataSource inNamingContext(String name) {
    try {
      InitialContext context = new InitialContext();
      try {
        return found(name, context.lookup(name));
      } catch (NameNotFoundException e) {
        return found(name, context.lookup("java:comp/env/" + name));
      }
    } catch (NamingException e) {
      throw new RulesUnavailableException("JNDI has no data source " + name, e);
    }
  }

  private static DataSource found(String name, Object thing) {
    if (thing instanceof DataSource source) {
      return source;
    }
    throw new RulesUnavailableException(
        "JNDI's " + name + " isn't a data source",
        new ClassCastException(String.valueOf(thing.getClass())));
  }
}
