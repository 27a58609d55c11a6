package io.weir.compat.stacks.cxf41;

import io.weir.compat.jaxrs.JaxrsServing;
import io.weir.compat.jaxrs.SubResourceTests;
import io.weir.compat.jaxrs.server.Server;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;

/** CXF binds most sub-resources only when a request reaches them. */
class SubResourceTest extends JaxrsServing implements SubResourceTests {
  @TempDir Path directory;

  @Override
  protected Server start(Set<Class<?>> classes, Set<Object> instances) throws Exception {
    return TomcatSuiteTest.start(directory, classes, instances);
  }

  @Override
  protected boolean runsJersey() {
    return false;
  }
}
