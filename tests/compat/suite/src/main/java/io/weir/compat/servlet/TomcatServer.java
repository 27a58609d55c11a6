package io.weir.compat.servlet;

import jakarta.servlet.ServletContainerInitializer;
import java.nio.file.Path;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.ContextConfig;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.scan.StandardJarScanner;

/** Tomcat, in the version of the module. */
public interface TomcatServer extends ServletServer {
  /** Kept, since a collected logger would lose its level. */
  Logger LOG = Logger.getLogger("org.apache");

  @Override
  default Running start(Path webApp, ServletContainerInitializer initializer) throws Exception {
    Tomcat tomcat = tomcat(webApp);
    Context context = deploy(tomcat, webApp);
    context.addServletContainerInitializer(initializer, Set.of());
    tomcat.start();
    AutoCloseable stop = () -> stop(tomcat);
    if (context.getState() != LifecycleState.STARTED) {
      stop.close();
      throw new IllegalStateException("the application didn't start: see the log");
    }
    return new Running(tomcat.getConnector().getLocalPort(), stop);
  }

  /**
   * Makes a Tomcat on the loopback address that isn't started yet.
   *
   * @param directory for its files
   * @return a Tomcat without applications
   */
  static Tomcat tomcat(Path directory) {
    LOG.setLevel(Level.SEVERE);
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(directory.resolve("tomcat").toString());
    tomcat.setAddDefaultWebXmlToWebapp(false);
    Connector connector = new Connector();
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    connector.setProperty("maxHttpHeaderSize", "32768");
    tomcat.setConnector(connector);
    tomcat.getHost();
    return tomcat;
  }

  /**
   * Adds an application as its web.xml describes it, and the default servlet.
   *
   * @param tomcat the server
   * @param webApp the application's directory
   * @return started if the server is
   */
  static Context deploy(Tomcat tomcat, Path webApp) {
    return deploy(
        tomcat,
        CONTEXT,
        webApp,
        (types, application) ->
            application.addServlet("default", new DefaultServlet()).addMapping("/"));
  }

  /**
   * Adds an application as its web.xml describes it.
   *
   * @param tomcat the server
   * @param path its path
   * @param webApp the application's directory
   * @param initializer adds what web.xml doesn't
   * @return started if the server is
   */
  static Context deploy(
      Tomcat tomcat, String path, Path webApp, ServletContainerInitializer initializer) {
    StandardContext context = new StandardContext();
    context.setPath(path);
    context.setName(path);
    context.setDocBase(webApp.toString());
    context.addLifecycleListener(new ContextConfig());
    StandardJarScanner scanner = (StandardJarScanner) context.getJarScanner();
    scanner.setScanClassPath(false);
    scanner.setScanManifest(false);
    context.addServletContainerInitializer(initializer, Set.of());
    tomcat.getHost().addChild(context);
    return context;
  }

  private static void stop(Tomcat tomcat) throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }
}
