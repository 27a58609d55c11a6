package io.weir.compat.stacks.cxf41;

import io.weir.compat.jaxrs.JaxrsSuite;
import io.weir.compat.jaxrs.LifeTests;
import io.weir.compat.jaxrs.SwitchTests;
import io.weir.compat.jaxrs.ThreadTests;
import io.weir.compat.jaxrs.server.Server;
import io.weir.seeds.DeepOnly;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.cxf.jaxrs.servlet.CXFNonSpringJaxrsServlet;
import org.junit.jupiter.api.io.TempDir;

@DeepOnly
class TomcatSuiteTest extends JaxrsSuite implements ThreadTests, SwitchTests, LifeTests {
  @TempDir Path directory;

  @Override
  protected boolean runsJersey() {
    return false;
  }

  @Override
  protected Map<String, String> impossible() {
    return Map.ofEntries(
        Map.entry("allMistakesComeInOneMessage", "CXF shows a feature one class at a time"),
        Map.entry(
            "whatIsNoAmountIsTheClientsMistakeAndChargedNowhere",
            "CXF reads a query parameter without = as missing"),
        Map.entry(
            "noWriterOfTheApplicationTakesARefusal", "CXF asks the application's writers first"));
  }

  @Override
  protected Server start(Set<Class<?>> classes, Set<Object> instances) throws Exception {
    return start(directory, classes, instances);
  }

  static Server start(Path directory, Set<Class<?>> classes, Set<Object> instances)
      throws Exception {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(directory.toString());
    Connector connector = new Connector();
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", directory.toString());
    CXFNonSpringJaxrsServlet servlet =
        new CXFNonSpringJaxrsServlet(new Resources(classes, instances));
    Wrapper cxf = Tomcat.addServlet(context, "cxf", servlet);
    cxf.setAsyncSupported(true);
    cxf.addMapping("/*");
    tomcat.start();
    try {
      cxf.load();
    } catch (Exception refused) {
      stop(tomcat);
      shutDownBus(servlet);
      throw refused;
    }
    return new Server(
        URI.create("http://127.0.0.1:" + connector.getLocalPort()), () -> stop(tomcat));
  }

  /**
   * Shuts down the bus of a servlet that failed to start, which Tomcat doesn't destroy. A bus keeps
   * the application, and the first one in a JVM is its default: a static field keeps it.
   */
  private static void shutDownBus(CXFNonSpringJaxrsServlet servlet) {
    if (servlet.getBus() != null) {
      servlet.destroyBus();
    }
  }

  /** Does nothing the second time. */
  private static void stop(Tomcat tomcat) throws Exception {
    if (tomcat.getServer().getState() != LifecycleState.DESTROYED) {
      tomcat.stop();
      tomcat.destroy();
    }
  }

  /** Holds the classes and instances that a test registers. */
  static final class Resources extends jakarta.ws.rs.core.Application {
    private final Set<Class<?>> classes;
    private final Set<Object> instances;

    Resources(Set<Class<?>> classes, Set<Object> instances) {
      this.classes = classes;
      this.instances = instances;
    }

    @Override
    public Set<Class<?>> getClasses() {
      return classes;
    }

    @Override
    @SuppressWarnings("deprecation") // all that CXF has for instances
    public Set<Object> getSingletons() {
      return instances;
    }
  }
}
