package io.weir.compat.stacks.resteasy;

import io.weir.compat.stack.StackMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.jboss.resteasy.plugins.server.servlet.HttpServlet30Dispatcher;

/** The application on Tomcat, with RESTEasy's servlet. */
public final class TomcatMain {
  private TomcatMain() {}

  public static void main(String[] args) throws IOException {
    StackMain.run(
        port -> {
          Path directory = Files.createTempDirectory("tomcat");
          Tomcat tomcat = new Tomcat();
          tomcat.setBaseDir(directory.toString());
          Connector connector = new Connector();
          connector.setPort(port);
          connector.setProperty("address", "127.0.0.1");
          tomcat.setConnector(connector);
          Context context = tomcat.addContext("", directory.toString());
          Wrapper resteasy = Tomcat.addServlet(context, "resteasy", new HttpServlet30Dispatcher());
          resteasy.addInitParameter("jakarta.ws.rs.Application", Application.class.getName());
          resteasy.setAsyncSupported(true);
          resteasy.setLoadOnStartup(1);
          resteasy.addMapping("/*");
          tomcat.start();
          return () -> stop(tomcat);
        });
  }

  private static void stop(Tomcat tomcat) throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }
}
