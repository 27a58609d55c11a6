package io.weir.compat.jersey31;

import io.weir.compat.jaxrs.server.Server;
import io.weir.compat.rules.JaxrsRuleSuite;
import io.weir.seeds.RunOneIn;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;

@RunOneIn(10)
class RulesTest extends JaxrsRuleSuite {
  @TempDir static Path directory;

  @Override
  protected Server start(Set<Class<?>> classes, Set<Object> instances) throws Exception {
    return TomcatTest.start(directory, classes, instances);
  }
}
