package io.weir.compat.cluster.node;

import io.weir.Weir;
import io.weir.servlet.RateLimitFilter;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** A Tomcat with a page for each way to decide without the store. Confine to one thread. */
final class Pages {
  /** Kept, or its level would be forgotten with it. */
  private static final Logger LOG = Logger.getLogger("org.apache");

  private final Tomcat tomcat;

  private Pages(Tomcat tomcat) {
    this.tomcat = tomcat;
  }

  static Pages start(Weir weir) throws IOException {
    LOG.setLevel(Level.SEVERE);
    Path directory = Files.createTempDirectory("weir-node");
    directory.toFile().deleteOnExit();
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(directory.toString());
    Connector connector = new Connector();
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    connector.setProperty("maxThreads", "16");
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", directory.toString());
    filter(context, new RateLimitFilter(weir));
    page(context, "local", new LocalPage());
    page(context, "open", new OpenPage());
    page(context, "closed", new ClosedPage());
    page(context, "api/exact", new ExactPage());
    page(context, "rules/*", new RulesPage());
    try {
      tomcat.start();
    } catch (LifecycleException failed) {
      throw new IOException(failed);
    }
    return new Pages(tomcat);
  }

  private static void filter(Context context, RateLimitFilter filter) {
    FilterDef definition = new FilterDef();
    definition.setFilterName("weir");
    definition.setFilter(filter);
    definition.setAsyncSupported("true");
    FilterMap everything = new FilterMap();
    everything.setFilterName("weir");
    everything.addURLPattern("/*");
    context.addFilterDef(definition);
    context.addFilterMap(everything);
  }

  private static void page(Context context, String name, HttpServlet servlet) {
    Wrapper wrapper = Tomcat.addServlet(context, name, servlet);
    wrapper.setAsyncSupported(true);
    wrapper.addMapping("/" + name);
  }

  int port() {
    return tomcat.getConnector().getLocalPort();
  }

  void close() {
    try {
      tomcat.stop();
      tomcat.destroy();
    } catch (LifecycleException failed) {
      throw new IllegalStateException(failed);
    }
  }
}
