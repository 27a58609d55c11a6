package io.weir.compat.stacks.spring;

import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackRuleChecks;
import io.weir.compat.stack.StackServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.springframework.boot.SpringBootVersion;

/** The checks of rules on an application of Spring Boot. */
abstract class SpringRuleChecks extends StackRuleChecks {
  private final String server;
  private final Class<?> main;
  private final Predicate<Path> libraries;

  /**
   * Takes what differs from server to server.
   *
   * @param server its name in the table
   * @param main the class that runs the application
   * @param libraries selects those of the application
   */
  SpringRuleChecks(String server, Class<?> main, Predicate<Path> libraries) {
    this.server = server;
    this.main = main;
    this.libraries = libraries;
  }

  @Override
  protected final String stack() {
    return "Spring Boot " + SpringBootVersion.getVersion() + " " + server;
  }

  @Override
  protected final boolean hasTemplates() {
    return true;
  }

  @Override
  protected final boolean signsInByPassword() {
    return true;
  }

  @Override
  protected final StackServer newServer(List<String> options) throws IOException {
    return StackProcess.runWithRules(main, libraries, options);
  }
}
