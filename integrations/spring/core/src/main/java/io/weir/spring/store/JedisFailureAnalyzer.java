package io.weir.spring.store;

import io.weir.InvalidSettingException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Explains a start that failed because of a missing Jedis, or one of the version that Spring Boot
 * chooses, which is too old for Weir.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class JedisFailureAnalyzer extends AbstractFailureAnalyzer<InvalidSettingException> {
  private static final String JEDIS = "redis.clients:jedis";

  /** Made by Spring Boot. */
  public JedisFailureAnalyzer() {}

  @Override
  protected @Nullable FailureAnalysis analyze(Throwable root, InvalidSettingException cause) {
    String message = String.valueOf(cause.getMessage());
    return message.contains(JEDIS)
        ? new FailureAnalysis(
            message,
            "Add "
                + JEDIS
                + " and io.github.resilience4j:resilience4j-circuitbreaker, and set the property"
                + " jedis.version of the build to 8.0.0 or newer, since Spring Boot manages an older"
                + " one: <jedis.version>8.0.2</jedis.version> in Maven's <properties>,"
                + " ext['jedis.version'] = '8.0.2' in Gradle.",
            cause)
        : null;
  }
}
