package io.weir.spring.rules;

import io.weir.Weir;
import java.util.Set;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitializationDetector;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Has Flyway, Liquibase and SQL scripts of the application run before Weir makes its tables, in a
 * {@code DataSource} bean or by an address, which may be of the same database. Otherwise the
 * application's Flyway would find tables in a schema that it expects to be empty, and fail.
 *
 * <p>Without {@code weir.rules} in the environment it may be in {@code weir.properties}, which are
 * read when the Weir is made.
 */
public final class WeirDependsOnDatabase implements DependsOnDatabaseInitializationDetector {
  private static final boolean HAS_RULES =
      ClassUtils.isPresent("io.weir.rules.Rules", WeirDependsOnDatabase.class.getClassLoader());

  private final Environment environment;

  /**
   * Made by Spring Boot.
   *
   * @param environment has the setting {@code weir.rules}
   */
  public WeirDependsOnDatabase(Environment environment) {
    this.environment = environment;
  }

  @Override
  public Set<String> detect(ConfigurableListableBeanFactory beans) {
    return hasRules() ? Set.of(beans.getBeanNamesForType(Weir.class, true, false)) : Set.of();
  }

  private boolean hasRules() {
    try {
      String rules = environment.getProperty("weir.rules");
      return HAS_RULES && (rules == null || !rules.isBlank());
    } catch (IllegalArgumentException unresolved) {
      return false; // Weir reports it, without the value, which may have a password
    }
  }
}
