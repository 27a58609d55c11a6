package io.weir.compat.stacks.cxf41;

import io.weir.compat.jaxrs.server.Server;
import io.weir.compat.rules.JaxrsRuleSuite;
import io.weir.seeds.DeepOnly;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;

@DeepOnly
class TomcatRuleSuiteTest extends JaxrsRuleSuite {
  @TempDir static Path directory;

  @Override
  protected Server start(Set<Class<?>> classes, Set<Object> instances) throws Exception {
    return TomcatSuiteTest.start(directory, classes, instances);
  }
}
