package io.weir.spring.control;

import io.weir.InvalidSettingException;
import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.control.ControlServlet;
import io.weir.rules.Rules;
import io.weir.spring.StartCheck;
import io.weir.spring.WeirAutoConfiguration;
import jakarta.servlet.Servlet;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.WebApplicationContext;

/**
 * Mounts the control API below the path that {@code weir.control.path} names, as a servlet beside
 * Spring's. The servlet container reports the user and its roles, so with Spring Security the role
 * {@code weir-admin} is the authority {@code ROLE_weir-admin}. Weir doesn't limit it.
 */
@AutoConfiguration(after = WeirAutoConfiguration.class)
public class WeirControlAutoConfiguration {
  private static final int FIRST_TO_LOAD = 1;
  private static final String WEB_CONTEXT = "org.springframework.web.context.WebApplicationContext";

  /** Mounts the servlet where all that it needs is on the class path. */
  @Configuration(proxyBeanMethods = false)
  @Conditional(ControlPathCondition.class)
  @ConditionalOnWebApplication(type = Type.SERVLET)
  @ConditionalOnClass(
      value = {Servlet.class, Rules.class, ControlServlet.class},
      name = {ControlRequirements.JERSEY, ControlRequirements.INJECTION})
  static class Mounted {
    /**
     * Registers the servlet.
     *
     * @param weir the application's, with rules
     * @param environment has the path
     * @return the registration
     */
    @Bean
    ServletRegistrationBean<ControlServlet> weirControlServlet(Weir weir, Environment environment) {
      Rules rules =
          Rules.of(weir)
              .orElseThrow(
                  () ->
                      new InvalidSettingException(
                          ControlMountSettings.PATH
                              + " mounts the control API, which needs rules. Set weir.rules, for"
                              + " example to datasource: for the DataSource bean"));
      ServletRegistrationBean<ControlServlet> servlet =
          new ServletRegistrationBean<>(
              new ControlServlet(weir, rules), ControlPathCondition.mapping(environment));
      servlet.setName("weirControl");
      servlet.setLoadOnStartup(FIRST_TO_LOAD);
      return servlet;
    }
  }

  /**
   * Reports what is missing, if anything is.
   *
   * @param context the application
   * @return checked at the start
   */
  @Bean
  @Conditional(ControlPathCondition.class)
  ControlRequirements weirControlRequirements(ApplicationContext context) {
    return new ControlRequirements(
        context.getEnvironment(),
        ClassUtils.isPresent(WEB_CONTEXT, context.getClassLoader())
            && context instanceof WebApplicationContext);
  }

  /**
   * Reports a path that only Weir reads, such as that of {@code weir.properties}: it would mount
   * nothing.
   *
   * @param adapter has the settings of all places
   * @param environment has those of Spring
   * @return runs once all beans are made
   */
  @Bean
  @ConditionalOnBean(Adapter.class)
  StartCheck weirControlPathCheck(Adapter adapter, Environment environment) {
    return () -> {
      String path = adapter.setting(ControlMountSettings.PATH).strip();
      if (!path.isEmpty() && ControlPathCondition.path(environment).isEmpty()) {
        throw new InvalidSettingException(
            ControlMountSettings.PATH
                + " = "
                + path
                + ": mounts the control API only if it is in Spring's configuration. Move it to"
                + " application.properties or another source of Spring's environment");
      }
    };
  }
}
