package io.weir.compat.stacks.tomcat;

import io.weir.compat.stack.CheckedServlets;
import io.weir.compat.stack.StackMain;
import io.weir.servlet.RateLimitFilter;
import io.weir.servlet.WeirInitializer;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.Set;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/** The application on an embedded Tomcat. */
final class Application {
  private Application() {}

  public static void main(String[] args) throws IOException {
    StackMain.run(Application::start);
  }

  private static AutoCloseable start(int port) throws Exception {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(Files.createTempDirectory("weir-tomcat").toString());
    Connector connector = new Connector();
    connector.setPort(port);
    connector.setProperty("address", "127.0.0.1");
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", null);
    context.setParentClassLoader(Application.class.getClassLoader());
    context.addServletContainerInitializer((types, application) -> register(application), Set.of());
    context.addServletContainerInitializer(new WeirInitializer(), Set.of());
    tomcat.start();
    return () -> {
      tomcat.stop();
      tomcat.destroy();
    };
  }

  private static void register(ServletContext application) {
    filter(application, CheckedServlets.SignInFilter.class);
    filter(application, RateLimitFilter.class);
    for (Class<? extends HttpServlet> each : CheckedServlets.classes()) {
      ServletRegistration.Dynamic servlet = application.addServlet(each.getSimpleName(), each);
      servlet.addMapping(CheckedServlets.path(each));
      servlet.setAsyncSupported(true);
    }
  }

  private static void filter(ServletContext application, Class<? extends Filter> filter) {
    FilterRegistration.Dynamic added = application.addFilter(filter.getSimpleName(), filter);
    added.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), true, "/*");
    added.setAsyncSupported(true);
  }
}
