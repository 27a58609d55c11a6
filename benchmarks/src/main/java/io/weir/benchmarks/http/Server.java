package io.weir.benchmarks.http;

import io.weir.jaxrs.RateLimitFeature;
import io.weir.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.nio.file.Path;
import java.util.EnumSet;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.ServerConnector;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

/** A web server with the application, as each server's own guide to embedding it does that. */
enum Server {
  /** The servlet filter on Tomcat. */
  TOMCAT {
    @Override
    int start(Limits limits, Path directory) throws Exception {
      Tomcat tomcat = tomcat(directory);
      Context context = tomcat.addContext("", directory.toString());
      for (HttpLoad load : HttpLoad.values()) {
        Tomcat.addServlet(context, load.name(), HelloServlet.of(load)).addMapping(load.path);
      }
      add(context, "user", new SignedInUser(), "/*");
      add(context, "both", new RateLimitFilter(limits.both()), Hello.PATH, Hello.REFUSED_PATH);
      add(context, "ietf", new RateLimitFilter(limits.ietf()), Hello.IETF_PATH);
      add(context, "rules", new RateLimitFilter(limits.rules()), Hello.RULES_PATH);
      tomcat.start();
      return tomcat.getConnector().getLocalPort();
    }
  },

  /** The servlet filter on Jetty. */
  JETTY {
    @Override
    int start(Limits limits, Path directory) throws Exception {
      org.eclipse.jetty.server.Server server = new org.eclipse.jetty.server.Server();
      ServerConnector connector = new ServerConnector(server);
      connector.setHost(HOST);
      server.addConnector(connector);
      ServletContextHandler context = new ServletContextHandler("/");
      for (HttpLoad load : HttpLoad.values()) {
        context.addServlet(new ServletHolder(HelloServlet.of(load)), load.path);
      }
      add(context, new SignedInUser(), "/*");
      add(context, new RateLimitFilter(limits.both()), Hello.PATH, Hello.REFUSED_PATH);
      add(context, new RateLimitFilter(limits.ietf()), Hello.IETF_PATH);
      add(context, new RateLimitFilter(limits.rules()), Hello.RULES_PATH);
      server.setHandler(context);
      server.start();
      return connector.getLocalPort();
    }

    private void add(ServletContextHandler context, Filter filter, String... paths) {
      FilterHolder holder = new FilterHolder(filter);
      holder.setAsyncSupported(true);
      for (String path : paths) {
        context.addFilter(holder, path, ALL);
      }
    }
  },

  /** The feature of JAX-RS, in Jersey as a servlet on Tomcat. */
  JERSEY {
    @Override
    int start(Limits limits, Path directory) throws Exception {
      Tomcat tomcat = tomcat(directory);
      Context context = tomcat.addContext("", directory.toString());
      ResourceConfig limited =
          new ResourceConfig(HelloResource.class, HelloResource.Refused.class)
              .register(new RateLimitFeature(limits.both()));
      serve(context, "limited", limited).addMapping("/*");
      // The path is the servlet's, so each resource is at its root.
      ResourceConfig ietf =
          new ResourceConfig(HelloResource.Root.class)
              .register(new RateLimitFeature(limits.ietf()));
      serve(context, "ietf", ietf).addMapping(Hello.IETF_PATH + "/*");
      ResourceConfig rules =
          new ResourceConfig(HelloResource.Free.class)
              .register(new RateLimitFeature(limits.rules()));
      serve(context, "rules", rules).addMapping(Hello.RULES_PATH + "/*");
      ResourceConfig free =
          new ResourceConfig(HelloResource.Free.class).property("weir.jaxrs.auto", false);
      serve(context, "free", free).addMapping(HttpLoad.FREE.path + "/*");
      add(context, "user", new SignedInUser(), "/*");
      tomcat.start();
      return tomcat.getConnector().getLocalPort();
    }

    private Wrapper serve(Context context, String name, ResourceConfig application) {
      Wrapper jersey = Tomcat.addServlet(context, name, new ServletContainer(application));
      jersey.setAsyncSupported(true);
      return jersey;
    }
  };

  static final String HOST = "127.0.0.1";
  private static final EnumSet<DispatcherType> ALL = EnumSet.allOf(DispatcherType.class);

  /**
   * Starts it.
   *
   * @param limits what limits all but the path of {@link HttpLoad#FREE}
   * @param directory where the server may keep what it needs
   * @return the port of the loopback address
   */
  abstract int start(Limits limits, Path directory) throws Exception;

  private static Tomcat tomcat(Path directory) {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(directory.toString());
    Connector connector = new Connector();
    connector.setPort(0);
    connector.setProperty("address", HOST);
    // Else every hundredth request would need a new connection.
    connector.setProperty("maxKeepAliveRequests", "-1");
    tomcat.setConnector(connector);
    return tomcat;
  }

  private static void add(Context context, String name, Filter filter, String... paths) {
    FilterDef definition = new FilterDef();
    definition.setFilterName(name);
    definition.setFilter(filter);
    definition.setAsyncSupported("true");
    context.addFilterDef(definition);
    FilterMap map = new FilterMap();
    map.setFilterName(name);
    for (String path : paths) {
      map.addURLPattern(path);
    }
    ALL.forEach(each -> map.setDispatcher(each.name()));
    context.addFilterMap(map);
  }
}
