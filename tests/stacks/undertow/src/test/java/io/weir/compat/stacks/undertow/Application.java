package io.weir.compat.stacks.undertow;

import io.undertow.Undertow;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.api.ServletContainerInitializerInfo;
import io.weir.compat.stack.CheckedServlets;
import io.weir.compat.stack.StackMain;
import io.weir.servlet.RateLimitFilter;
import io.weir.servlet.WeirInitializer;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.util.Set;

/** The application on Undertow. */
final class Application {
  private Application() {}

  public static void main(String[] args) throws IOException {
    StackMain.run(Application::start);
  }

  private static AutoCloseable start(int port) throws Exception {
    DeploymentManager manager = Servlets.newContainer().addDeployment(application());
    manager.deploy();
    Undertow server =
        Undertow.builder().addHttpListener(port, "127.0.0.1").setHandler(manager.start()).build();
    server.start();
    return () -> {
      server.stop();
      manager.stop();
      manager.undeploy();
    };
  }

  private static DeploymentInfo application() {
    DeploymentInfo application =
        Servlets.deployment()
            .setClassLoader(Application.class.getClassLoader())
            .setContextPath("/")
            .setDeploymentName("checks")
            .addServletContainerInitializer(
                new ServletContainerInitializerInfo(WeirInitializer.class, Set.of()));
    filter(application, CheckedServlets.SignInFilter.class);
    filter(application, RateLimitFilter.class);
    for (Class<? extends HttpServlet> each : CheckedServlets.classes()) {
      application.addServlet(
          Servlets.servlet(each).addMapping(CheckedServlets.path(each)).setAsyncSupported(true));
    }
    return application;
  }

  private static void filter(DeploymentInfo application, Class<? extends Filter> filter) {
    String name = filter.getSimpleName();
    application.addFilter(Servlets.filter(name, filter).setAsyncSupported(true));
    for (DispatcherType each : DispatcherType.values()) {
      application.addFilterUrlMapping(name, "/*", each);
    }
  }
}
