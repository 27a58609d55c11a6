package io.weir.benchmarks.startup;

import io.weir.jaxrs.RateLimitFeature;
import java.io.PrintStream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

/** The application that is started: the resources on Jersey in Tomcat, limited or not. */
final class Application {
  private Application() {}

  /**
   * Says on which port it is, and runs until it is killed.
   *
   * @param args {@code with} or {@code without} Weir, how many classes, the directory for all it
   *     writes, its log among them
   */
  public static void main(String[] args) throws Exception {
    PrintStream console = System.err;
    System.setErr(new PrintStream(args[2] + "/log"));
    try {
      System.out.println(start(application(args[0], Integer.parseInt(args[1])), args[2]));
    } catch (Exception | LinkageError failed) {
      failed.printStackTrace(console);
      System.exit(1);
    }
    Thread.currentThread().join();
  }

  private static ResourceConfig application(String how, int classes) throws Exception {
    ResourceConfig application = new ResourceConfig();
    for (int number = 0; number < classes; number++) {
      application.register(Class.forName("made.R" + number));
    }
    return how.equals("with")
        ? application.register(RateLimitFeature.class)
        : application.property("weir.jaxrs.auto", false);
  }

  private static int start(ResourceConfig application, String directory) throws LifecycleException {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(directory);
    Connector connector = new Connector();
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", directory);
    Wrapper jersey = Tomcat.addServlet(context, "jersey", new ServletContainer(application));
    jersey.setLoadOnStartup(1);
    jersey.addMapping("/*");
    tomcat.start();
    return connector.getLocalPort();
  }
}
