package io.weir.test.pages;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.nio.file.Path;
import java.util.Set;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

/** Runs an application of a page: Jersey on Tomcat, on any free port of this machine. */
final class PageApplication implements AutoCloseable {
  private final Tomcat tomcat = new Tomcat();

  /** Adds filters and servlets of the page. */
  @FunctionalInterface
  interface Additions {
    void addTo(ServletContext context) throws Exception;
  }

  PageApplication(Path folder, ResourceConfig application, Additions additions)
      throws LifecycleException {
    tomcat.setBaseDir(folder.toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context = tomcat.addContext("", folder.toString());
    context.addServletContainerInitializer(
        (types, started) -> {
          try {
            additions.addTo(started);
          } catch (Exception failed) {
            throw new IllegalStateException(failed);
          }
          ServletRegistration.Dynamic jersey =
              started.addServlet("application", new ServletContainer(application));
          jersey.addMapping("/*");
          jersey.setAsyncSupported(true);
          jersey.setLoadOnStartup(1);
        },
        Set.of());
    context.setParentClassLoader(PageApplication.class.getClassLoader());
    tomcat.start();
  }

  /** Returns its address, without a slash at the end. */
  String address() {
    return "http://127.0.0.1:" + tomcat.getConnector().getLocalPort();
  }

  @Override
  public void close() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
    System.clearProperty("catalina.home"); // or another Tomcat would take this folder
  }
}
