package io.weir.compat.jersey31;

import io.weir.compat.jaxrs.JaxrsSuite;
import io.weir.compat.jaxrs.ThreadTests;
import io.weir.compat.jaxrs.server.Server;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import java.net.URI;
import java.nio.file.Path;
import java.util.Set;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;
import org.junit.jupiter.api.io.TempDir;

/** Jersey on Tomcat. {@link GrizzlyTest} runs the whole suite in every build. */
@OneDayIn(3)
@RunOneIn(5)
class TomcatTest extends JaxrsSuite implements ThreadTests {
  @TempDir Path directory;

  @Override
  protected Server start(Set<Class<?>> classes, Set<Object> instances) throws Exception {
    return start(directory, classes, instances);
  }

  static Server start(Path directory, Set<Class<?>> classes, Set<Object> instances)
      throws Exception {
    ResourceConfig application =
        new ResourceConfig().registerClasses(classes).registerInstances(instances);
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(directory.toString());
    Connector connector = new Connector();
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", directory.toString());
    Wrapper jersey = Tomcat.addServlet(context, "jersey", new ServletContainer(application));
    jersey.setAsyncSupported(true);
    jersey.addMapping("/*");
    tomcat.start();
    jersey.load();
    return new Server(
        URI.create("http://127.0.0.1:" + connector.getLocalPort()), () -> stop(tomcat));
  }

  private static void stop(Tomcat tomcat) throws Exception {
    tomcat.stop();
    tomcat.destroy();
  }
}
