package io.weir.compat.tomcat11;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.RateLimit;
import io.weir.compat.servlet.ServletMappingContract.Warnings;
import io.weir.compat.servlet.TomcatServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a web application whose classes the container scans for annotations. */
class ScannedClassesTest implements TomcatServer {
  @TempDir Path webApp;

  /** A controller of a framework that Weir doesn't know. */
  static final class Controller {
    @RateLimit(limit = 1, window = 60)
    public void handle() {}
  }

  /** Carries no annotation. */
  static final class Helper {}

  @Test
  void namesTheClassesThatTheContainerFinds() throws Exception {
    addClass(Controller.class);
    addClass(Helper.class);
    List<String> errors = errors();
    assertEquals(1, errors.size(), errors::toString);
    assertTrue(errors.get(0).startsWith("The annotations of " + Controller.class.getName() + " "));
  }

  @Test
  void leavesTheWarningToTheAdapterForSpring() throws Exception {
    addClass(Controller.class);
    add("io/weir/spring/package-info.class", new byte[0]);
    assertEquals(List.of(), errors());
  }

  private void addClass(Class<?> type) throws IOException {
    String name = type.getName().replace('.', '/') + ".class";
    try (InputStream code = type.getResourceAsStream("/" + name)) {
      add(name, code.readAllBytes());
    }
  }

  private void add(String name, byte[] content) throws IOException {
    Path file = webApp.resolve("WEB-INF/classes").resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, content);
  }

  /** Tomcat finds Weir's initializer as a service. */
  private List<String> errors() throws Exception {
    try (Warnings warnings = new Warnings();
        AutoCloseable server = start(webApp, (types, context) -> {}).stop()) {
      return warnings.of("", Level.SEVERE);
    }
  }
}
