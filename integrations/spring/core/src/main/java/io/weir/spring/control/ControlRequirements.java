package io.weir.spring.control;

import io.weir.InvalidSettingException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanClassLoaderAware;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Checks at the start that the application has all that the control API needs. */
final class ControlRequirements implements InitializingBean, BeanClassLoaderAware {
  static final String JERSEY = "org.glassfish.jersey.servlet.ServletContainer";

  static final String INJECTION = "org.glassfish.jersey.inject.hk2.Hk2InjectionManagerFactory";

  private static final Map<String, String> NEEDED = new LinkedHashMap<>();

  static {
    NEEDED.put("io.weir.rules.Rules", "io.weir:weir-rules");
    NEEDED.put("io.weir.control.ControlServlet", "io.weir:weir-control");
    NEEDED.put(JERSEY, "org.glassfish.jersey.containers:jersey-container-servlet");
    NEEDED.put(INJECTION, "org.glassfish.jersey.inject:jersey-hk2");
  }

  private final Environment environment;
  private final boolean isServletApplication;
  private @Nullable ClassLoader loader;

  ControlRequirements(Environment environment, boolean isServletApplication) {
    this.environment = environment;
    this.isServletApplication = isServletApplication;
  }

  @Override
  public void setBeanClassLoader(ClassLoader beans) {
    this.loader = beans;
  }

  @Override
  public void afterPropertiesSet() {
    List<String> missing = new ArrayList<>();
    NEEDED.forEach(
        (type, module) -> {
          if (!ClassUtils.isPresent(type, loader)) {
            missing.add(module);
          }
        });
    if (!missing.isEmpty()) {
      throw new InvalidSettingException(
          setting() + " needs " + String.join(", ", missing) + " on the class path");
    }
    if (!isServletApplication) {
      throw new InvalidSettingException(
          setting()
              + " needs an application with servlets, since the control API is a servlet. Run it in"
              + " the decision service or in an application with Spring MVC");
    }
    ControlPathCondition.mapping(environment);
  }

  private String setting() {
    return ControlMountSettings.PATH + " = " + ControlPathCondition.path(environment);
  }
}
