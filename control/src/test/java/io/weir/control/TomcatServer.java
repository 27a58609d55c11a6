package io.weir.control;

import io.weir.Weir;
import io.weir.rules.Rules;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.net.URI;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/** Starts the servlet on Tomcat, behind a filter that signs callers in. */
final class TomcatServer {
  private TomcatServer() {}

  /**
   * Starts it.
   *
   * @param contextPath of the web application; empty for the root
   * @param mapping of the servlet
   */
  static Server start(Weir weir, Rules rules, String contextPath, String mapping) {
    return start(weir, rules, contextPath, mapping, application -> {});
  }

  /**
   * Starts it in an application that has more.
   *
   * @param more adds filters before the one that signs in, and servlets
   */
  static Server start(
      Weir weir, Rules rules, String contextPath, String mapping, Consumer<ServletContext> more) {
    try {
      Tomcat tomcat = new Tomcat();
      tomcat.setBaseDir(Path.of("target", "tomcat").toAbsolutePath().toString());
      tomcat.setPort(0);
      tomcat.getConnector().setProperty("address", "127.0.0.1");
      Context context = tomcat.addContext(contextPath, null);
      context.addServletContainerInitializer(
          (types, application) -> {
            more.accept(application);
            install(application, new ControlServlet(weir, rules), mapping);
          },
          Set.of());
      tomcat.start();
      int port = tomcat.getConnector().getLocalPort();
      return new Server(URI.create("http://127.0.0.1:" + port), () -> stop(tomcat));
    } catch (LifecycleException failed) {
      throw new AssertionError(failed);
    }
  }

  private static void install(ServletContext application, ControlServlet servlet, String mapping) {
    FilterRegistration.Dynamic signIn = application.addFilter("sign-in", new TestSignInFilter());
    signIn.addMappingForUrlPatterns(null, false, "/*");
    signIn.setAsyncSupported(true);
    ServletRegistration.Dynamic control = application.addServlet("control", servlet);
    control.addMapping(mapping);
    control.setAsyncSupported(true);
    control.setLoadOnStartup(1);
  }

  private static void stop(Tomcat tomcat) {
    try {
      tomcat.stop();
      tomcat.destroy();
    } catch (LifecycleException failed) {
      throw new AssertionError(failed);
    }
  }
}
