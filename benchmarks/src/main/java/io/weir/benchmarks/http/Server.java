package io.weir.benchmarks.http;

import io.weir.Weir;
import io.weir.jaxrs.RateLimitFeature;
import io.weir.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
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
    int start(Weir weir, Path directory) throws Exception {
      Tomcat tomcat = tomcat(directory);
      Context context = tomcat.addContext("", directory.toString());
      Tomcat.addServlet(context, "hello", new HelloServlet()).addMapping(Hello.PATH);
      Tomcat.addServlet(context, "refused", new HelloServlet.Refused())
          .addMapping(Hello.REFUSED_PATH);
      Tomcat.addServlet(context, "free", new HelloServlet()).addMapping(HttpLoad.FREE.path);
      limit(context, new RateLimitFilter(weir));
      tomcat.start();
      return tomcat.getConnector().getLocalPort();
    }
  },

  /** The servlet filter on Jetty. */
  JETTY {
    @Override
    int start(Weir weir, Path directory) throws Exception {
      org.eclipse.jetty.server.Server server = new org.eclipse.jetty.server.Server();
      ServerConnector connector = new ServerConnector(server);
      connector.setHost(HOST);
      server.addConnector(connector);
      ServletContextHandler context = new ServletContextHandler("/");
      context.addServlet(new ServletHolder(new HelloServlet()), Hello.PATH);
      context.addServlet(new ServletHolder(new HelloServlet.Refused()), Hello.REFUSED_PATH);
      context.addServlet(new ServletHolder(new HelloServlet()), HttpLoad.FREE.path);
      for (String path : LIMITED) {
        context.addFilter(new FilterHolder(new RateLimitFilter(weir)), path, ALL);
      }
      server.setHandler(context);
      server.start();
      return connector.getLocalPort();
    }
  },

  /** The feature of JAX-RS, in Jersey as a servlet on Tomcat. */
  JERSEY {
    @Override
    int start(Weir weir, Path directory) throws Exception {
      Tomcat tomcat = tomcat(directory);
      Context context = tomcat.addContext("", directory.toString());
      ResourceConfig limited =
          new ResourceConfig(HelloResource.class, HelloResource.Refused.class)
              .register(new RateLimitFeature(weir));
      serve(context, "limited", limited).addMapping("/*");
      // Its path is the servlet's, so the resource is at its root.
      ResourceConfig free =
          new ResourceConfig(HelloResource.Free.class).property("weir.jaxrs.auto", false);
      serve(context, "free", free).addMapping(HttpLoad.FREE.path + "/*");
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
  private static final List<String> LIMITED = List.of(Hello.PATH, Hello.REFUSED_PATH);
  private static final EnumSet<DispatcherType> ALL = EnumSet.allOf(DispatcherType.class);

  /**
   * Starts it.
   *
   * @param weir what limits all but the path of {@link HttpLoad#FREE}
   * @param directory where the server may keep what it needs
   * @return the port of the loopback address
   */
  abstract int start(Weir weir, Path directory) throws Exception;

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

  private static void limit(Context context, RateLimitFilter filter) {
    FilterDef definition = new FilterDef();
    definition.setFilterName("weir");
    definition.setFilter(filter);
    definition.setAsyncSupported("true");
    context.addFilterDef(definition);
    FilterMap map = new FilterMap();
    map.setFilterName("weir");
    LIMITED.forEach(map::addURLPattern);
    ALL.forEach(each -> map.setDispatcher(each.name()));
    context.addFilterMap(map);
  }
}
