package io.weir.compat.stacks.cxf41;

import io.weir.compat.stack.CheckedResources;
import io.weir.compat.stack.StackMain;
import io.weir.jaxrs.RateLimitFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.Set;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.apache.cxf.jaxrs.servlet.CXFNonSpringJaxrsServlet;

/** The application as CXF's servlet on Tomcat. */
final class Application {
  private static final String SERVLET = "cxf";

  private Application() {}

  public static void main(String[] args) throws IOException {
    StackMain.run(Application::start);
  }

  private static AutoCloseable start(int port) throws IOException, LifecycleException {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(Files.createTempDirectory("weir-cxf").toString());
    tomcat.setHostname("127.0.0.1");
    tomcat.setPort(port);
    Context context = tomcat.addContext("", null);
    Tomcat.addServlet(context, SERVLET, new CXFNonSpringJaxrsServlet(new Resources()))
        .setAsyncSupported(true);
    context.addServletMappingDecoded("/*", SERVLET);
    tomcat.getConnector();
    tomcat.getServer().start();
    return () -> {
      tomcat.stop();
      tomcat.destroy();
    };
  }

  /** Names all classes, since CXF doesn't scan for them. */
  private static final class Resources extends jakarta.ws.rs.core.Application {
    @Override
    public Set<Class<?>> getClasses() {
      Set<Class<?>> classes = new HashSet<>(CheckedResources.classes());
      classes.add(RateLimitFeature.class);
      return classes;
    }
  }
}
