package io.weir.compat.stacks.quarkus;

import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackRuleChecks;
import io.weir.compat.stack.StackServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The checks of rules, of an application that Quarkus has built. */
abstract class QuarkusRuleChecks extends StackRuleChecks {
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
    List<String> all = new ArrayList<>(options);
    all.add("-D" + QuarkusMain.APPLICATION + "=" + System.getProperty(QuarkusMain.APPLICATION));
    all.add("-D" + QuarkusMain.LIBRARIES + "=" + rules());
    return StackProcess.run(QuarkusMain.class, library -> false, all);
  }

  /** Returns {@code weir-rules} and H2, which the build doesn't put into the application. */
  private static String rules() throws IOException {
    return Files.readString(Path.of(System.getProperty("weir.test.libraries-rules"))).strip();
  }
}
