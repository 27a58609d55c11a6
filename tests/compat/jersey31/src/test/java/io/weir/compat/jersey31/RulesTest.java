package io.weir.compat.jersey31;

import io.weir.compat.jaxrs.server.Server;
import io.weir.compat.rules.JaxrsRuleSuite;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;

@OneDayIn(2)
@RunOneIn(5)
class RulesTest extends JaxrsRuleSuite {
  @TempDir static Path directory;

  @Override
  protected Server start(Set<Class<?>> classes, Set<Object> instances) throws Exception {
    return TomcatTest.start(directory, classes, instances);
  }
}
