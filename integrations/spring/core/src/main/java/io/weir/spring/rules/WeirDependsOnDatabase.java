package io.weir.spring.rules;

import io.weir.Weir;
import java.util.Set;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitializationDetector;
import org.springframework.core.env.Environment;

/**
 * Has Flyway, Liquibase and SQL scripts of the application run before Weir makes its tables in a
 * {@code DataSource} bean. Otherwise the application's Flyway would find tables in a schema that it
 * expects to be empty, and fail.
 */
public final class WeirDependsOnDatabase implements DependsOnDatabaseInitializationDetector {
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
    return areInDataSource()
        ? Set.of(beans.getBeanNamesForType(Weir.class, true, false))
        : Set.of();
  }

  private boolean areInDataSource() {
    try {
      return environment.getProperty("weir.rules", "").strip().startsWith("datasource:");
    } catch (IllegalArgumentException unresolved) {
      return false; // Weir reports it, without the value, which may have a password
    }
  }
}
