package io.weir.compat.stacks.jetty;

import io.weir.compat.stack.CheckedServlets;
import io.weir.compat.stack.StackMain;
import io.weir.servlet.RateLimitFilter;
import io.weir.servlet.WeirInitializer;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.util.EnumSet;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** The application on an embedded Jetty. */
final class Application {
  private Application() {}

  public static void main(String[] args) throws IOException {
    StackMain.run(Application::start);
  }

  private static AutoCloseable start(int port) throws Exception {
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    connector.setPort(port);
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler("/");
    context.addServletContainerInitializer(new WeirInitializer());
    filter(context, CheckedServlets.SignInFilter.class);
    filter(context, RateLimitFilter.class);
    for (Class<? extends HttpServlet> each : CheckedServlets.classes()) {
      ServletHolder servlet = new ServletHolder(each);
      servlet.setAsyncSupported(true);
      context.addServlet(servlet, CheckedServlets.path(each));
    }
    server.setHandler(context);
    server.start();
    return server::stop;
  }

  private static void filter(ServletContextHandler context, Class<? extends Filter> filter) {
    FilterHolder holder = new FilterHolder(filter);
    holder.setAsyncSupported(true);
    context.addFilter(holder, "/*", EnumSet.allOf(DispatcherType.class));
  }
}
