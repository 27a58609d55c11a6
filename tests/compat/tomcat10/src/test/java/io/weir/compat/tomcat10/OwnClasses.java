package io.weir.compat.tomcat10;

import inet.ipaddr.IPAddress;
import io.weir.Weir;
import io.weir.annotation.RateLimit;
import io.weir.compat.servlet.WebXmlServlet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A web application with its own copies of Weir and its dependencies. */
final class OwnClasses {
  private static final String WEB_XML =
      """
      <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0" metadata-complete="true">
        <filter>
          <filter-name>weir</filter-name>
          <filter-class>io.weir.servlet.RateLimitFilter</filter-class>
          <async-supported>true</async-supported>
        </filter>
        <filter-mapping>
          <filter-name>weir</filter-name><url-pattern>/*</url-pattern>
        </filter-mapping>
        <servlet>
          <servlet-name>xml</servlet-name>
          <servlet-class>io.weir.compat.servlet.WebXmlServlet</servlet-class>
        </servlet>
        <servlet-mapping>
          <servlet-name>xml</servlet-name><url-pattern>/x</url-pattern>
        </servlet-mapping>
      </web-app>
      """;

  private OwnClasses() {}

  /** Fills a directory, with the jars or folders of more classes. */
  static void copyTo(Path webApp, Class<?>... more) throws Exception {
    Path inside = Files.createDirectories(webApp.resolve("WEB-INF"));
    Files.writeString(inside.resolve("web.xml"), WEB_XML);
    List<Class<?>> all =
        new ArrayList<>(List.of(Weir.class, RateLimit.class, WebXmlServlet.class, IPAddress.class));
    all.addAll(List.of(more));
    for (Class<?> each : all) {
      copy(Path.of(each.getProtectionDomain().getCodeSource().getLocation().toURI()), inside);
    }
  }

  private static void copy(Path origin, Path inside) throws Exception {
    if (Files.isRegularFile(origin)) {
      Path lib = Files.createDirectories(inside.resolve("lib"));
      Files.copy(origin, lib.resolve(origin.getFileName()));
      return;
    }
    Path classes = inside.resolve("classes");
    try (Stream<Path> all = Files.walk(origin)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        Path target = classes.resolve(origin.relativize(each).toString());
        Files.createDirectories(target.getParent());
        Files.copy(each, target, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }
}
