package io.weir.compat.servlet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The directories of web applications. */
final class WebAppDirectories {
  private static final String WEB_XML =
      """
      <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0" metadata-complete="true">
      %s
      </web-app>
      """;

  private WebAppDirectories() {}

  /** Makes a directory with a web.xml of the given contents. */
  static Path webApp(String elements) throws IOException {
    Path webApp = Files.createTempDirectory("weir-app");
    Path inside = Files.createDirectories(webApp.resolve("WEB-INF"));
    Files.writeString(inside.resolve("web.xml"), WEB_XML.formatted(elements));
    return webApp;
  }

  static void delete(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      List<Path> inside = all.sorted(Comparator.reverseOrder()).toList();
      for (Path each : inside) {
        Files.delete(each);
      }
    }
  }
}
