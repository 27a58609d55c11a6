package io.weir.compat.stack;

import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;

/** Makes the wars of the checks, registered as the README has it. */
public final class CheckedWars {
  private static final String FILTERS =
      """
      <filter>
        <filter-name>sign-in</filter-name>
        <filter-class>io.weir.compat.stack.CheckedServlets$SignInFilter</filter-class>
        <async-supported>true</async-supported>
      </filter>
      <filter>
        <filter-name>limits</filter-name>
        <filter-class>io.weir.servlet.RateLimitFilter</filter-class>
        <async-supported>true</async-supported>
      </filter>
      <filter-mapping>
        <filter-name>sign-in</filter-name>
        <url-pattern>/*</url-pattern>
      </filter-mapping>
      <filter-mapping>
        <filter-name>limits</filter-name>
        <url-pattern>/*</url-pattern>
        <dispatcher>REQUEST</dispatcher>
        <dispatcher>FORWARD</dispatcher>
        <dispatcher>INCLUDE</dispatcher>
        <dispatcher>ASYNC</dispatcher>
        <dispatcher>ERROR</dispatcher>
      </filter-mapping>
      """;

  private CheckedWars() {}

  /**
   * Makes the war of {@link CheckedResources}.
   *
   * @param settings parameters of the application
   * @return a war
   * @throws IOException if a class or a library can't be read
   */
  public static WarFile resources(Map<String, String> settings) throws IOException {
    return WarFile.withLibraries()
        .add(CheckedResources.class, CheckedSignIn.class, WarApplication.class)
        .webXml(parameters(settings));
  }

  /**
   * Makes the war of {@link CheckedServlets}, with Weir's filter behind one that signs users in.
   *
   * @param settings parameters of the application
   * @return a war
   * @throws IOException if a class or a library can't be read
   */
  public static WarFile servlets(Map<String, String> settings) throws IOException {
    return WarFile.withLibraries()
        .add(CheckedServlets.class)
        .webXml(parameters(settings) + FILTERS);
  }

  /**
   * Makes the war of {@link CheckedBeans}.
   *
   * @param mistaken whether {@link SelfCallingBean} is one of the beans
   * @return a war with the adapter for CDI
   * @throws IOException if a class or a library can't be read
   */
  public static WarFile beans(boolean mistaken) throws IOException {
    WarFile war =
        WarFile.withLibraries()
            .addLibraryWith("io.weir.cdi.RateLimitExtension")
            .addLibraryWith("org.objectweb.asm.ClassReader")
            .add(CheckedBeans.class, CheckedSignIn.class)
            .webXml("");
    return mistaken ? war.add(SelfCallingBean.class) : war;
  }

  private static String parameters(Map<String, String> settings) {
    return settings.entrySet().stream()
        .map(each -> parameter(each.getKey(), each.getValue()))
        .collect(Collectors.joining());
  }

  private static String parameter(String name, String value) {
    return "<context-param><param-name>"
        + name
        + "</param-name><param-value>"
        + value
        + "</param-value></context-param>\n";
  }
}
