package io.weir.spring.control;

import io.weir.InvalidSettingException;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if {@code weir.control.path} is set. */
final class ControlPathCondition implements Condition {
  ControlPathCondition() {}

  @Override
  public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
    return !path(context.getEnvironment()).isEmpty();
  }

  static String path(Environment environment) {
    return environment.getProperty(ControlMountSettings.PATH, "").strip();
  }

  /**
   * Returns the mapping of the servlet: everything below the path, and at the root only the API.
   *
   * @throws InvalidSettingException if the path isn't one
   */
  static String mapping(Environment environment) {
    String path = path(environment);
    String below = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    if (!path.startsWith("/") || below.endsWith("/") || path.contains("*")) {
      throw new InvalidSettingException(
          ControlMountSettings.PATH + " = " + path + ": must be a path such as /weir, or /");
    }
    return below.isEmpty() ? "/v1/*" : below + "/*";
  }
}
