package io.weir.compat.jersey40;

import io.weir.compat.servlet.JaxrsPreflightContract;
import io.weir.compat.servlet.TomcatServer;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import java.util.Set;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

class JaxrsPreflightTest implements JaxrsPreflightContract, TomcatServer {
  @Override
  public Servlet jaxrs(ServletContext context, Set<Object> instances) {
    return new ServletContainer(new ResourceConfig().registerInstances(instances));
  }

  @Override
  public boolean isAlsoFilter() {
    return true;
  }
}
