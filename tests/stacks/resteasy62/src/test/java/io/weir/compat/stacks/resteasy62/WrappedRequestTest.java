package io.weir.compat.stacks.resteasy62;

import io.weir.compat.jaxrs.WrappedRequestTests;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletException;
import java.util.Set;
import org.jboss.resteasy.plugins.server.servlet.HttpServlet30Dispatcher;
import org.jboss.resteasy.spi.ResteasyDeployment;

class WrappedRequestTest extends WrappedRequestTests {
  @Override
  protected Servlet servlet(Set<Object> instances) {
    return new Dispatcher(Servers.deployment(Set.of(), instances));
  }

  /** Serves an application of given parts. */
  private static final class Dispatcher extends HttpServlet30Dispatcher {
    private final transient ResteasyDeployment deployment;

    Dispatcher(ResteasyDeployment deployment) {
      this.deployment = deployment;
    }

    @Override
    public void init(ServletConfig config) throws ServletException {
      config.getServletContext().setAttribute(ResteasyDeployment.class.getName(), deployment);
      super.init(config);
    }
  }
}
