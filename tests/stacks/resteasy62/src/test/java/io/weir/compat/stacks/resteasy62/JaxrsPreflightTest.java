package io.weir.compat.stacks.resteasy62;

import io.weir.compat.servlet.JaxrsPreflightContract;
import io.weir.compat.servlet.TomcatServer;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import java.util.Set;
import org.jboss.resteasy.plugins.server.servlet.HttpServlet30Dispatcher;
import org.jboss.resteasy.spi.ResteasyDeployment;

class JaxrsPreflightTest implements JaxrsPreflightContract, TomcatServer {
  @Override
  public Servlet jaxrs(ServletContext context, Set<Object> instances) {
    ResteasyDeployment deployment = Servers.deployment(Set.of(), instances);
    context.setAttribute(ResteasyDeployment.class.getName(), deployment);
    return new HttpServlet30Dispatcher();
  }
}
